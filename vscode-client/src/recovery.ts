/** What is to be done when the server has ended or cannot be started: when to try again, and whether to say so. */

/** Deaths within the window after which the server is no longer started at once. */
const DEATHS = 3;
const WINDOW_MS = 180_000;
/** How long to wait between attempts after that, the last one again and again. */
const WAITS_MS = [30_000, 120_000, 600_000];
/** Between looks for a server that was not found. */
const LOOK_MS = 10_000;

/** What follows: a start at once, or one after a while, with a message to the user before it or not. */
export type Next = { readonly kind: "again" } | { readonly kind: "later"; readonly wait: number; readonly tell: boolean };

export class Recovery {
  private deaths: number[] = [];
  private attempts = 0;
  private begun: number | undefined;
  private looked = -Infinity;
  private told: string | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  /** The user has asked for a start: whatever fails is told again. */
  reset(): void {
    this.deaths = [];
    this.attempts = 0;
    this.told = undefined;
  }

  /** The server has begun to run. */
  ran(): void {
    this.begun = this.now();
  }

  /** The server has ended by itself, or has not come up; `what` is what would be said about it. */
  ended(what: string): Next {
    const now = this.now();
    if (this.begun !== undefined && now - this.begun >= WINDOW_MS) this.reset();
    const hasRun = this.begun !== undefined;
    this.begun = undefined;
    this.deaths = [...this.deaths.filter((time) => now - time < WINDOW_MS), now];
    if (hasRun && this.attempts === 0 && this.deaths.length < DEATHS) return { kind: "again" };
    const wait = WAITS_MS[Math.min(this.attempts, WAITS_MS.length - 1)] ?? LOOK_MS;
    this.attempts += 1;
    return { kind: "later", wait, tell: this.isNews(what) };
  }

  /** Whether something has not been said yet. */
  isNews(what: string): boolean {
    if (this.told === what) return false;
    this.told = what;
    return true;
  }

  /** Whether it is time to look again for a server that was not found. */
  looksAgain(): boolean {
    if (this.now() - this.looked < LOOK_MS) return false;
    this.looked = this.now();
    return true;
  }
}
