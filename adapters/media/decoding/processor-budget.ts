import { LRUCache } from 'lru-cache'
import { growsTo } from '../../../domain/kernel/grows-to.js'

/**
 * What images may take of the processor: an account that has spent so much waits until it has come back (abuse matrix, A24). A
 * leaky bucket, which one image may overdraw.
 */
export const processorBudget = { spent_ms_max: 20_000, over_ms: 300_000 } as const

const accounts_max = 10_000

export interface ProcessorBudget {
  /** Milliseconds until more may be spent; 0 where it may. */
  wait_ms(account: string): number
  charge(account: string, processor_ms: number): void
}

/** `now` is milliseconds of a clock that never steps back. */
export function processorBudgets(now: () => number = () => performance.now()): ProcessorBudget {
  const { spent_ms_max, over_ms } = processorBudget
  /** When an account has spent nothing any more. */
  const wholeAt = new LRUCache<string, number>(growsTo(accounts_max))
  return {
    wait_ms: (account) => Math.max(0, (wholeAt.get(account) ?? 0) - now() - over_ms),
    charge(account, processor_ms) {
      const from = Math.max(wholeAt.get(account) ?? 0, now())
      wholeAt.set(account, from + (processor_ms / spent_ms_max) * over_ms)
    },
  }
}

/** Lets everybody spend anything. */
export const noProcessorBudgets: ProcessorBudget = { wait_ms: () => 0, charge: () => undefined }
