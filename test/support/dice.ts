/** Numbers from a seed (mulberry32), so that a failing run is told by its seed and its length. */
export class Dice {
  private left: number;
  constructor(
    private state: number,
    rolls: number,
  ) {
    this.left = rolls;
  }
  get empty(): boolean {
    return this.left <= 0;
  }
  roll(sides: number): number {
    this.left--;
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  }
  oneIn(sides: number): boolean {
    return this.roll(sides) === 0;
  }
  pick<T>(...options: [T, ...T[]]): T {
    return options[this.roll(options.length)] ?? options[0];
  }
}
