import { reject } from '../../commands/refused.ts'
import type { StoreAnswer, StoreFailure } from '../../ports/stores.ts'

/** What a store answered. Refuses with STORE_PURCHASE_INVALID, and with STORE_BILLING_UNAVAILABLE where a later try may succeed. */
export function answerOf<Value>(answer: StoreAnswer<Value>): Value {
  return answer.ok ? answer.value : reject(codeOf(answer.failure))
}

function codeOf({ kind }: StoreFailure) {
  return kind === 'rejected' || kind === 'not found' ? 'STORE_PURCHASE_INVALID' : 'STORE_BILLING_UNAVAILABLE'
}
