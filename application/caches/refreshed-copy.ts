/** What one process knows of the read models without asking them for each request. */
export interface RefreshedCopy<Value> {
  /** As it was at the last look. */
  current(): Value
  /** Looks for what is new at once. */
  refresh(): Promise<void>
  close(): void
}

export interface RefreshedCopySettings<Value> {
  /** A number that is another one whenever there is something new: asked once a second, so that it has to cost little. */
  readonly changes: () => Promise<number>
  readonly read: () => Promise<Value>
  /** Told of the first look that fails after one that did not: what is known goes on to count. */
  readonly onError: (error: unknown) => void
  /** Told whenever there is something new, once it counts. */
  readonly onChange?: () => void
}

/** What is new counts in every process so long after the read models hold it, at most; as long, what is gone may go on. */
export const copyAge_ms_max = 1000

/** Resolves once the first look is over. */
export async function openRefreshedCopy<Value>(settings: RefreshedCopySettings<Value>): Promise<RefreshedCopy<Value>> {
  const { changes, read, onError, onChange = () => undefined } = settings
  const firstLook = async () => ({ changes: await changes(), value: await read() })
  let known = await firstLook()
  let looking: Promise<void> | undefined
  let isFailing = false

  async function look(): Promise<void> {
    // Before the value: what changes in between is found by the next look.
    const newest = await changes()
    if (newest === known.changes) return
    known = { changes: newest, value: await read() }
    onChange()
  }

  function refresh(): Promise<void> {
    looking ??= look().finally(() => (looking = undefined))
    return looking
  }

  async function refreshInTime(): Promise<void> {
    try {
      await refresh()
      isFailing = false
    } catch (error) {
      // Once, and not each second for as long as Postgres is away.
      if (!isFailing) onError(error)
      isFailing = true
    }
  }

  const timer = setInterval(() => void refreshInTime(), copyAge_ms_max).unref()
  return { current: () => known.value, refresh, close: () => clearInterval(timer) }
}
