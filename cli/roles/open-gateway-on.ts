import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { clientAddress } from '../../adapters/http/server/client-address.js'
import { presenceExchange } from '../../application/presence/presence-exchange.js'
import { openGateway, type Gateway } from '../../gateway/gateway.js'
import type { ExpectedHandovers } from '../../gateway/sessions/expected-handovers.js'
import { processClock } from '../../gateway/time/ticker.js'
import { sessionSnapshots } from '../../projections/session-snapshots/queries.js'
import type { Base } from './base.js'
import type { SharedParts } from './shared-parts.js'

const gatewayId_bytes = 16

/** The Gateway on the upgrades of an HTTP server, told of every event from now on. */
export async function openGatewayOn(
  server: Server,
  base: Base,
  { sessionTokens }: SharedParts,
  handovers: ExpectedHandovers,
): Promise<Gateway> {
  const { options, closings, carrier, readModels, database, queries, signals, onError } = base
  const { settings, logger } = options
  const addressOf = clientAddress(settings.trustedProxies)
  const bus = await carrier.listen(readModels)
  const exchange =
    signals &&
    presenceExchange({ signals, gatewayId: randomBytes(gatewayId_bytes).toString('hex'), clock: processClock, onError })
  const gateway = openGateway({
    server,
    bus,
    sessionTokens,
    snapshots: sessionSnapshots(database),
    accounts: queries.accounts,
    passkeys: queries.passkeys,
    clock: processClock,
    randomBytes,
    log: logger,
    rateLimits: settings.rateLimits,
    handovers,
    ...(exchange && { presenceExchange: exchange }),
    clientAddress: ({ socket, headers }) => addressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString()),
  })
  closings.add(async () => gateway.close())
  await exchange?.ready
  return gateway
}
