import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SEARCH_ATTRIBUTES } from '../workflows/names.js';
import { ROOT } from './support/sources.js';

/** An image that is built here has no other version to be pinned to than ours. */
const PINNED = /^[^:@]+:v?\d+\.\d+(\.\d+)?([-.][a-z0-9.]+)*$/;
const POLL_LIMIT = 'history.transferProcessorMaxPollRPS';
const POLL_LIMIT_DEFAULT = 20;

interface Service {
  image?: string;
  build?: unknown;
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  healthcheck?: { test: string[] };
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(readText('docker-compose.yml'), {
  merge: true,
});
const services = Object.entries(compose.services);

describe('docker-compose.yml', () => {
  it('has the database, its schema, the server, its namespace, the Web UI and a worker', () => {
    expect(services.map(([name]) => name)).toEqual(['postgres', 'schema', 'temporal', 'init', 'ui', 'worker']);
  });

  it('pins every image to a version', () => {
    expect(services.map(([, service]) => service.image ?? 'none').filter((image) => !PINNED.test(image))).toEqual([]);
  });

  it('takes the server and its tools from one version, so that the schema fits', () => {
    const tags = ['temporal', 'schema', 'init'].map((name) => compose.services[name]?.image?.split(':')[1]);
    expect(new Set(tags).size).toBe(1);
  });

  it('lets the worker start when the server is healthy and the namespace is ready', () => {
    expect(compose.services.worker?.depends_on).toEqual({
      temporal: { condition: 'service_healthy' },
      init: { condition: 'service_completed_successfully' },
    });
  });

  it('waits for nothing that is only started', () => {
    const conditions = services.flatMap(([, service]) => Object.values(service.depends_on ?? {}).map((needed) => needed.condition));
    expect(conditions.filter((condition) => condition === 'service_started')).toEqual([]);
  });

  it('has a health check wherever health is waited for', () => {
    const awaited = services.flatMap(([, service]) =>
      Object.entries(service.depends_on ?? {})
        .filter(([, needed]) => needed.condition === 'service_healthy')
        .map(([name]) => name),
    );
    expect(awaited.filter((name) => compose.services[name]?.healthcheck === undefined)).toEqual([]);
  });

  it('opens its ports to this machine alone, for Temporal has no access control of its own', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('keeps the database and the worker’s home in named volumes', () => {
    expect(compose.services.postgres?.volumes).toContain('database:/var/lib/postgresql/data');
    expect(compose.services.worker?.volumes).toContain('home:/var/lib/donewhen');
  });

  it('mounts only files that are here', () => {
    const mounted = services.flatMap(([, service]) => service.volumes ?? []).filter((volume) => volume.startsWith('./'));
    for (const volume of mounted.filter((one) => one.includes('.sh')))
      expect(readText(volume.split(':')[0] ?? '')).toMatch(/^#!\/bin\/sh\n/);
    expect(mounted.map((volume) => volume.split(':')[0])).toEqual(['./docker/schema.sh', './docker/dynamicconfig', './docker/init.sh']);
  });
});

describe('the server’s settings', () => {
  it('raise the poll limit, in the file that the server is told to read', () => {
    const path = compose.services.temporal?.environment?.DYNAMIC_CONFIG_FILE_PATH ?? '';
    const [from, to] = (compose.services.temporal?.volumes?.[0] ?? '').split(':');
    const settings: Record<string, { value: number }[]> = parse(readText(path.replace(to ?? '', from ?? '')));
    expect(settings[POLL_LIMIT]?.every((setting) => setting.value > POLL_LIMIT_DEFAULT)).toBe(true);
  });
});

describe('docker/init.sh', () => {
  const script = readText('docker/init.sh');

  it('registers every search attribute, with its type', () => {
    const registered = [...script.matchAll(/^attribute (\w+) (\w+)$/gm)].map(([, name, kind]) => ({ name, kind }));
    expect(registered).toEqual(SEARCH_ATTRIBUTES.map(({ name, kind }) => ({ name, kind })));
  });

  it('keeps closed runs for thirty days', () => {
    expect(script).toContain('RETENTION=30d\n');
  });
});

describe('docker/Dockerfile', () => {
  const lines = readText('docker/Dockerfile').split('\n');

  it('pins its base images, and runs as a user who is not root', () => {
    const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1] ?? '');
    expect(bases.filter((image) => !PINNED.test(image))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER node');
  });
});
