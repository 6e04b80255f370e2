/** One task at a time; requests made while it runs become one more run of it. */
export class Serial {
  private current: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly task: () => Promise<void>) {}

  /** Run the task; resolves when a run that began after this call has ended. */
  request(): Promise<void> {
    if (this.current === undefined) return this.start();
    this.next ??= this.current.then(() => {
      this.next = undefined;
      return this.start();
    });
    return this.next;
  }

  private start(): Promise<void> {
    const run = this.task().finally(() => {
      if (this.current === settled) this.current = undefined;
    });
    // Whoever waits for its turn does not care how the run before it ended.
    const settled: Promise<void> = run.catch(() => undefined);
    this.current = settled;
    return run;
  }
}
