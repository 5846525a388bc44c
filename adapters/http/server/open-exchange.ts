import type { FastifyRequest } from 'fastify'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { languageOf } from '../../../domain/text/languages.ts'
import { identityOf } from '../limits/identity.ts'
import type { ClientAddress } from '../request/client-address.ts'
import type { Connections } from './connections/connections.ts'
import type { Exchange } from '../request/exchange.ts'
import { meterOf } from '../request/meter.ts'
import { requestFacts } from '../request/request-facts.ts'
import type { KnownCredentials } from '../request/shares/known-credentials.ts'
import type { RequestShares } from '../request/shares/request-share.ts'

export interface ExchangeParts {
  readonly addressOf: ClientAddress
  readonly connections: Connections
  readonly known: KnownCredentials
  readonly shares: RequestShares
}

/** The start of a request to an operation. Its sender is a stranger unless its credential resolved recently. */
export function openExchange(parts: ExchangeParts, name: string, { raw, params }: FastifyRequest): Exchange {
  const [path = '', ...search] = (raw.url ?? '').split('?')
  const facts = requestFacts(raw, parts.addressOf)
  const { authorization, idempotencyKey, ip } = facts
  const received = [authorization, authorization?.split(' ').at(-1), idempotencyKey, params]
  const address = networkOf(ip, oneClient)
  const noted = parts.known.identityOf(authorization)
  const share = parts.shares.open({
    address,
    identity: noted ?? identityOf(undefined, ip),
    isKnown: noted !== undefined,
  })
  const exchange: Exchange = {
    raw,
    facts,
    params,
    path,
    search: search.join('?'),
    share,
    isKnown: noted !== undefined,
    meter: meterOf(name),
    received,
    sender: 'not asked',
    accountId: undefined,
    language: languageOf(facts.locale),
    nameSender(authenticated) {
      const identity = identityOf(authenticated, ip)
      const isKnown = authenticated !== undefined
      if (isKnown) exchange.language = languageOf(authenticated.account.locale)
      exchange.accountId = authenticated?.account.id
      exchange.sender = isKnown ? 'account' : authorization ? 'unresolved' : 'nobody'
      if (isKnown) parts.connections.noteCredential(raw.socket)
      if ((isKnown ? identity : undefined) === noted) return
      parts.known.note(authorization, isKnown ? identity : undefined)
      share.belongTo({ address, identity, isKnown })
    },
  }
  return exchange
}
