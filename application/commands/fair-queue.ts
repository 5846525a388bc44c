import { LRUCache } from 'lru-cache'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import { networkOf, oneClient } from '../../domain/network/network-of.ts'
import type { Asker, Turn } from '../ports/asker.ts'

/** The turn that work of a sender takes. */
export function turnOf({ ip, account }: Asker): Turn {
  return { address: networkOf(ip, oneClient), account: account?.id ?? '' }
}

/**
 * A queue of waiting items. `shift` picks the address that was served least of late, and within it the account that was served
 * least. A sender with thousands of waiting items delays others by one of its turns at most.
 */
export interface FairQueue<Item> {
  readonly size: number
  /**
   * Adds an item. If the queue is full, removes and returns one item: the newest of the account with the most waiting items, at
   * the address with the most. That may be the item just added.
   */
  push(turn: Turn, item: Item): Item | undefined
  /** Takes out the next item; undefined if the queue is empty. */
  shift(): Item | undefined
  /** Charges an address and an account for work. `cost` is in any unit, as long as it is always the same one. */
  charge(turn: Turn, cost: number): void
}

/** How many addresses, and accounts of one address, the queue remembers as served. */
const remembered_max = 10_000

/** The items of one address, by account. */
interface AddressQueue<Item> {
  size: number
  readonly served: Served
  readonly accounts: Map<string, Item[]>
}

export function fairQueue<Item>(waiting_max: number): FairQueue<Item> {
  const queues = new Map<string, AddressQueue<Item>>()
  const served = servedLeast()
  let size = 0

  function queueOf(address: string): AddressQueue<Item> {
    const known = queues.get(address)
    if (known) return known
    served.join(address)
    const queue: AddressQueue<Item> = { size: 0, served: servedLeast(), accounts: new Map() }
    queues.set(address, queue)
    return queue
  }

  function takeOut(address: string, account: string, end: 'oldest' | 'newest'): Item | undefined {
    const queue = queues.get(address)
    const items = queue?.accounts.get(account)
    if (!queue || !items) return undefined
    const item = end === 'oldest' ? items.shift() : items.pop()
    size -= 1
    queue.size -= 1
    if (items.length === 0) queue.accounts.delete(account)
    if (queue.size === 0) queues.delete(address)
    return item
  }

  function shed(): Item | undefined {
    const [address, queue] = most(queues, ({ size: waiting }) => waiting) ?? []
    const [account] = (queue && most(queue.accounts, ({ length }) => length)) ?? []
    return address === undefined || account === undefined ? undefined : takeOut(address, account, 'newest')
  }

  return {
    get size() {
      return size
    },
    push({ address, account }, item) {
      const queue = queueOf(address)
      const items = queue.accounts.get(account)
      if (items) items.push(item)
      else {
        queue.served.join(account)
        queue.accounts.set(account, [item])
      }
      queue.size += 1
      size += 1
      return size > waiting_max ? shed() : undefined
    },
    shift() {
      const address = served.least(queues.keys())
      const queue = address === undefined ? undefined : queues.get(address)
      const account = queue?.served.least(queue.accounts.keys())
      return address === undefined || account === undefined ? undefined : takeOut(address, account, 'oldest')
    },
    charge({ address, account }, cost) {
      served.charge(address, cost)
      queues.get(address)?.served.charge(account, cost)
    },
  }
}

/** The entry with the highest count. Of several, the last one, so that the latest arrival gives way. */
function most<Value>(entries: ReadonlyMap<string, Value>, count: (value: Value) => number) {
  let found: readonly [string, Value] | undefined
  for (const entry of entries) if (!found || count(entry[1]) >= count(found[1])) found = entry
  return found
}

/** How much each key has been served (start-time fair queueing). A key that starts to wait is level with the key being served. */
interface Served {
  join(key: string): void
  /** The key that was served least; the first one on a tie. */
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
