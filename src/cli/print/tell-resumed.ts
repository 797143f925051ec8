// What `lw resume` says beside the runs that went on.

export interface Resumed {
  /** Whether everything was stopped, and this ended it. */
  readonly hasFreedAll: boolean;
  /** Whether everything is stopped still. */
  readonly isAllStopped: boolean;
  readonly runs: number;
}

export function tellResumed({ hasFreedAll, isAllStopped, runs }: Resumed): readonly string[] {
  const freed = hasFreedAll ? ["everything may run again: what `lw stop --all` began is over"] : [];
  if (isAllStopped) return ["everything is stopped: `lw resume --all` ends that"];
  return [...freed, ...(runs === 0 ? ["nothing was interrupted"] : [])];
}
