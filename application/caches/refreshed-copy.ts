/** One process's copy of a part of the read models, so that requests need not query it. */
export interface RefreshedCopy<Value> {
  /** The value at the last look. */
  current(): Value
  /** Looks for changes at once. */
  refresh(): Promise<void>
  close(): void
}

export interface RefreshedCopySettings<Value> {
  /** A number that differs after every change. Queried once a second, so it must be cheap. */
  readonly changes: () => Promise<number>
  readonly read: () => Promise<Value>
  /** Called with the first error after a successful look. The known value stays in use. */
  readonly onError: (error: unknown) => void
  /** Called after each change, once the new value is in use. */
  readonly onChange?: () => void
  /** How often it looks for changes. Default: `copyAge_ms_max`. */
  readonly looks_ms?: number | undefined
}

/** Every process sees a change at most this long after the read models hold it. Something removed may stay in use for as long. */
export const copyAge_ms_max = 1000

/** Resolves once the first look is over. */
export async function openRefreshedCopy<Value>(settings: RefreshedCopySettings<Value>): Promise<RefreshedCopy<Value>> {
  const { changes, read, onError, onChange = () => undefined, looks_ms = copyAge_ms_max } = settings
  const firstLook = async () => ({ changes: await changes(), value: await read() })
  let known = await firstLook()
  let looking: Promise<void> | undefined
  let isFailing = false

  async function look(): Promise<void> {
    // Read before the value: the next look finds changes made in between.
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
      // Reports once, not each second while Postgres is away.
      if (!isFailing) onError(error)
      isFailing = true
    }
  }

  const timer = setInterval(() => void refreshInTime(), looks_ms).unref()
  return { current: () => known.value, refresh, close: () => clearInterval(timer) }
}
