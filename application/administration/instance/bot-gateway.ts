import { looksLikeSessionToken } from '../../identity/tokens/session-token.ts'
import type { Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

const prefix = /^(?:bot|bearer)(?:\s+|$)/i
const botToken = /^[0-9]+\..+$/s

const sessionStartLimit = { total: 1000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 } as const

/**
 * The URL of a bot's Gateway connection. Checks only the format of the token, so success does not prove that the token
 * is valid. Refuses with MISSING_AUTHORIZATION, INVALID_AUTH_TOKEN. See rules/applications#bots.
 */
export function getBotGateway({ instance }: Pick<Ports, 'instance'>) {
  return ({ authorization }: Pick<Requester, 'authorization'>) => {
    const token = (authorization ?? '').trim().replace(prefix, '').trim()
    if (token === '') reject('MISSING_AUTHORIZATION')
    if (looksLikeSessionToken(token) || !botToken.test(token)) reject('INVALID_AUTH_TOKEN')
    return { url: instance.gatewayUrl, shards: 1, session_start_limit: sessionStartLimit }
  }
}
