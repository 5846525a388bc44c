import { LRUCache } from 'lru-cache'
import { growsTo } from '../../domain/kernel/grows-to.js'
import type { Turn } from '../ports/asker.js'

/**
 * Items that wait. The next one is of the address that was served least of late, and within it of the account that was: whoever
 * has thousands waiting holds up nobody for longer than one turn of theirs.
 */
export interface FairQueue<Item> {
  readonly size: number
  /**
   * Adds an item. Where the queue is full, gives the item that has to go, which may be the one that was added: the newest of
   * the account that has the most waiting, at the address that has.
   */
  push(turn: Turn, item: Item): Item | undefined
  /** Takes out the next item; undefined where none waits. */
  shift(): Item | undefined
  /** Says what work for somebody took, in any one unit. */
  charge(turn: Turn, cost: number): void
}

/** Who is remembered as served, of addresses and of the accounts of one. */
const remembered_max = 10_000

/** The items of one address, by account. */
interface Line<Item> {
  size: number
  readonly served: Served
  readonly accounts: Map<string, Item[]>
}

/** Makes an empty queue for at most `waiting_max` items. */
export function fairQueue<Item>(waiting_max: number): FairQueue<Item> {
  const lines = new Map<string, Line<Item>>()
  const served = servedLeast()
  let size = 0

  function lineOf(address: string): Line<Item> {
    const known = lines.get(address)
    if (known) return known
    served.join(address)
    const line: Line<Item> = { size: 0, served: servedLeast(), accounts: new Map() }
    lines.set(address, line)
    return line
  }

  function takeOut(address: string, account: string, end: 'oldest' | 'newest'): Item | undefined {
    const line = lines.get(address)
    const items = line?.accounts.get(account)
    if (!line || !items) return undefined
    const item = end === 'oldest' ? items.shift() : items.pop()
    size -= 1
    line.size -= 1
    if (items.length === 0) line.accounts.delete(account)
    if (line.size === 0) lines.delete(address)
    return item
  }

  function shed(): Item | undefined {
    const [address, line] = most(lines, ({ size: waiting }) => waiting) ?? []
    const [account] = (line && most(line.accounts, ({ length }) => length)) ?? []
    return address === undefined || account === undefined ? undefined : takeOut(address, account, 'newest')
  }

  return {
    get size() {
      return size
    },
    push({ address, account }, item) {
      const line = lineOf(address)
      const items = line.accounts.get(account)
      if (items) items.push(item)
      else {
        line.served.join(account)
        line.accounts.set(account, [item])
      }
      line.size += 1
      size += 1
      return size > waiting_max ? shed() : undefined
    },
    shift() {
      const address = served.least(lines.keys())
      const line = address === undefined ? undefined : lines.get(address)
      const account = line?.served.least(line.accounts.keys())
      return address === undefined || account === undefined ? undefined : takeOut(address, account, 'oldest')
    },
    charge({ address, account }, cost) {
      served.charge(address, cost)
      lines.get(address)?.served.charge(account, cost)
    },
  }
}

/** The entry that has the most; the last of several, so that who came last gives way. */
function most<Value>(entries: ReadonlyMap<string, Value>, count: (value: Value) => number) {
  let found: readonly [string, Value] | undefined
  for (const entry of entries) if (!found || count(entry[1]) >= count(found[1])) found = entry
  return found
}

/** How much each has been served (start-time fair queueing): who begins to wait is level with whoever is served now. */
interface Served {
  join(key: string): void
  /** The one of several that was served least; the first of those who are level. */
  least(keys: Iterable<string>): string | undefined
  charge(key: string, cost: number): void
}

function servedLeast(): Served {
  const costs = new LRUCache<string, number>(growsTo(remembered_max))
  let now = 0
  const costOf = (key: string): number => costs.get(key) ?? now
  return {
    join: (key) => void costs.set(key, Math.max(costOf(key), now)),
    least(keys) {
      let found: { readonly key: string; readonly cost: number } | undefined
      for (const key of keys) {
        const cost = costOf(key)
        if (!found || cost < found.cost) found = { key, cost }
      }
      if (found) now = Math.max(now, found.cost)
      return found?.key
    },
    charge: (key, cost) => void costs.set(key, costOf(key) + cost),
  }
}
