// Which calls of the kernel a boxed command may not make, as a program for seccomp. Pure: it is bytes.

/** x32 calls have this bit in their number. */
const X32_BIT = 0x4000_0000;
const ALLOW = 0x7fff_0000;
const refuse = (errno: number): number => 0x0005_0000 | errno;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Sockets of files, of the internet, and to ask the kernel about interfaces. */
const FAMILIES = [1, 2, 10, 16];

interface Architecture {
  readonly audit: number;
  readonly socket: number;
  readonly keyctl: number;
  readonly prctl: number;
  /** Keys of the login, other programs' sockets made unseen, programs in the kernel, and the insides of other processes. */
  readonly refused: readonly number[];
}

const IO_URING = [425, 426, 427];
/** A stream of another process, taken by its number there. */
const PIDFD_GETFD = 438;
/** By what they are called: add_key, request_key, keyctl, io_uring, bpf, perf_event_open, userfaultfd; ptrace, process_vm_readv, process_vm_writev, kcmp. */
const ARCHITECTURES: { readonly [arch: string]: Architecture } = {
  x64: {
    audit: 0xc000_003e,
    socket: 41,
    keyctl: 250,
    prctl: 157,
    refused: [248, 249, 250, ...IO_URING, 321, 298, 323, 101, 310, 311, 312, PIDFD_GETFD],
  },
  arm64: {
    audit: 0xc000_00b7,
    socket: 198,
    keyctl: 219,
    prctl: 167,
    refused: [217, 218, 219, ...IO_URING, 280, 241, 282, 117, 270, 271, 272, PIDFD_GETFD],
  },
};

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const LOAD = 0x20;
const IS = 0x15;
const AT_LEAST = 0x35;
const RETURN = 0x06;

/** Undefined on a processor whose calls are not known here. A program of another kind, such as one of 32 bits, makes no call at all. */
export function callFilter(arch: string): Buffer | undefined {
  const known = ARCHITECTURES[arch];
  if (!known) return undefined;
  const { audit, refused, socket } = known;
  // Counted from the end: allow, refuse, refuse a family.
  const lines: Instruction[] = [[LOAD, 0, 0, 4]];
  const tests: Instruction[] = [[AT_LEAST, 0, 0, X32_BIT], ...refused.map((number): Instruction => [IS, 0, 0, number])];
  const families: Instruction[] = FAMILIES.map((family) => [IS, 0, 0, family]);
  const length = 1 + 1 + 1 + tests.length + 1 + 1 + families.length + 3;
  const [ALLOWED, REFUSED, FAMILY] = [length - 2, length - 1, length - 3];
  const to = (at: number, from: number): number => at - from - 1;
  lines.push([IS, 0, to(REFUSED, 1), audit], [LOAD, 0, 0, 0]);
  for (const [code, , , value] of tests) lines.push([code, to(REFUSED, lines.length), 0, value]);
  lines.push([IS, 0, to(ALLOWED, lines.length), socket], [LOAD, 0, 0, 16]);
  for (const [code, , , value] of families) lines.push([code, to(ALLOWED, lines.length), 0, value]);
  lines.push([RETURN, 0, 0, refuse(EAFNOSUPPORT)], [RETURN, 0, 0, ALLOW], [RETURN, 0, 0, refuse(ENOSYS)]);
  if (lines[FAMILY]?.[0] !== RETURN || lines.length !== length) throw new TypeError("the filter of calls does not add up");
  return Buffer.concat(lines.map(encode));
}

function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

/** The same by perl, which every Debian has: a new keyring, then the filter, then the command. */
export function perlFilter(arch: string): string | undefined {
  const known = ARCHITECTURES[arch];
  const filter = callFilter(arch);
  if (!known || !filter) return undefined;
  return `my $f=pack("H*","${filter.toString("hex")}");syscall(${known.keyctl},1,0);my $p=pack("S x6 P",length($f)/8,$f);syscall(${known.prctl},38,1,0,0,0)==0&&syscall(${known.prctl},22,2,$p,0,0)==0 or die "filter: $!";exec {$ARGV[0]} @ARGV;die "exec: $!"`;
}
