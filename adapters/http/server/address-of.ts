import type { Logger } from 'pino'
import { clientAddress, type ClientAddress } from '../request/client-address.ts'

const hopWarning_ms = 60_000
const hopText =
  'X-Forwarded-For of a trusted proxy names no address (it may be `unknown`): the limits count all of its clients as one; have the proxy write addresses'

/** Finds the address of a client. Warns, at most once a minute, of a trusted proxy that names none. */
export function addressOf({
  trustedProxies = [],
  logger,
}: {
  readonly trustedProxies?: Parameters<typeof clientAddress>[0] | undefined
  readonly logger: Pick<Logger, 'warn'>
}): ClientAddress {
  return clientAddress(
    trustedProxies,
    atMostEvery(hopWarning_ms, () => logger.warn(hopText)),
  )
}

function atMostEvery(interval_ms: number, act: () => void): () => void {
  let last_ms = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - last_ms < interval_ms) return
    last_ms = performance.now()
    act()
  }
}
