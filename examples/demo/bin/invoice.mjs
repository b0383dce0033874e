#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseLines } from '../src/lines.mjs';

const lines = parseLines(readFileSync(process.argv[2], 'utf8'));
console.log(`${lines.length} items`);
