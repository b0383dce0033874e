/** No usable server: an expected fault of the world, whose message says what was tried and the way out. Commands end with exit 3. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault';
}
