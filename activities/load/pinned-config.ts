import type { Config } from '../../documents/config.js';
import type { Place } from '../interface.js';
import type { Texts } from '../texts.js';

/** The configuration that a run was started with. Its hash vouches for it: it was checked when it was kept. */
export async function pinnedConfig(texts: Texts, place: Pick<Place, 'configSha256'>): Promise<Config> {
  const config: Config = JSON.parse(await texts.text(place.configSha256));
  return config;
}
