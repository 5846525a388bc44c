import { LRUCache } from 'lru-cache'
import { growsTo } from '../../../domain/kernel/grows-to.ts'

/**
 * The processor time for an account's images: an account that has spent this much waits until it has refilled. A leaky
 * bucket that one image may overdraw.
 */
export const processorBudget = { spent_ms_max: 20_000, over_ms: 300_000 } as const

const accounts_max = 10_000

export interface ProcessorBudget {
  /** Milliseconds until the account may spend more; 0 if it may now. */
  wait_ms(account: string): number
  charge(account: string, processor_ms: number): void
}

/** `now` is in milliseconds, from a clock that never steps back. */
export function processorBudgets(now: () => number = () => performance.now()): ProcessorBudget {
  const { spent_ms_max, over_ms } = processorBudget
  /** When an account's budget is full again. */
  const wholeAt = new LRUCache<string, number>(growsTo(accounts_max))
  return {
    wait_ms: (account) => Math.max(0, (wholeAt.get(account) ?? 0) - now() - over_ms),
    charge(account, processor_ms) {
      const from = Math.max(wholeAt.get(account) ?? 0, now())
      wholeAt.set(account, from + (processor_ms / spent_ms_max) * over_ms)
    },
  }
}

/** A budget without limits. */
export const noProcessorBudgets: ProcessorBudget = { wait_ms: () => 0, charge: () => undefined }
