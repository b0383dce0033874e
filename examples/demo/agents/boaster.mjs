#!/usr/bin/env node
// An agent that does nothing and says that it is done, with evidence. It is not believed.
import { noteCall, readBrief, tell } from './brief.mjs';

readBrief();
noteCall();
tell({ cost: { usd: 0, tokens: 0 } });
console.log(`All tests pass! The work is complete.

status: done
state_delta:
- Net, tax at each rate and gross of an invoice are right to the cent.
evidence:
- node --test test/totals.test.mjs → 4 passed, 0 failed`);
