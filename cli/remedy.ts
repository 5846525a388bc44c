/** What an operator does about a failure of the system below, by how the system words it: Node, Postgres or initdb. */
const remedies: readonly { readonly found: RegExp; readonly cause: string; readonly remedy: string }[] = [
  {
    found: /\bENOSPC\b|No space left on device|\bEDQUOT\b|Disk quota exceeded/i,
    cause: 'The disk is full.',
    remedy: 'Make space where DATA_DIR is (or where Postgres keeps its data, with DATABASE_URL), and start again.',
  },
  {
    found: /\bEMFILE\b|\bENFILE\b|insufficient file descriptors|too many open files/i,
    cause: 'The process may open too few files.',
    remedy: 'Raise the limit (ulimit -n, or LimitNOFILE of a systemd unit) to 1024 or more, and start again.',
  },
  {
    found: /\bEACCES\b|\bEPERM\b|Permission denied|Operation not permitted/i,
    cause: 'The account of this process lacks a right.',
    remedy: 'Let it read and write what the message names, or name another place (DATA_DIR), and start again.',
  },
  {
    found: /\bEROFS\b|Read-only file system/i,
    cause: 'The file system can only be read.',
    remedy: 'Set DATA_DIR to a folder on one that can be written to, and start again.',
  },
  {
    found: /\bENOMEM\b|Cannot allocate memory|could not map anonymous shared memory|out of memory/i,
    cause: 'The machine has no memory left.',
    remedy: 'End what uses it, or give the machine more, and start again.',
  },
]

/** The message of an error that ends a command. Where the system below is its cause, says so and what to do, on lines of their own. */
export function messageWithRemedy(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const texts = causesOf(error).map((each) => (each instanceof Error ? each.message : String(each)))
  const known = remedies.find(({ found }) => texts.some((text) => found.test(text)))
  return known ? `${message.trimEnd()}\n${known.cause}\n${known.remedy}` : message
}

const causes_max = 10

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (
    let each = error;
    each !== undefined && causes.length < causes_max;
    each = each instanceof Error ? each.cause : undefined
  )
    causes.push(each)
  return causes
}
