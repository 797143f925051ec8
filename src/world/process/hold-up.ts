// A child that stays, and is asked now and then: only while an answer is awaited does it keep our process from ending.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Socket } from "node:net";

export function holdUp(child: ChildProcessWithoutNullStreams, isHeld: boolean): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) if (stream instanceof Socket) isHeld ? stream.ref() : stream.unref();
  isHeld ? child.ref() : child.unref();
}
