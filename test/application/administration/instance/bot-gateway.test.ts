import { describe, expect, it } from 'vitest'
import { getBotGateway } from '../../../../application/administration/instance/bot-gateway.ts'
import { getDiscoveryDocument } from '../../../../application/administration/instance/discovery-document.ts'
import { gatewayUrlBelow } from '../../../../application/administration/instance/gateway-url.ts'
import { Refused } from '../../../../application/commands/refused.ts'
import { world } from '../../support/world.ts'

const publicUrl = 'https://guildhall.test'
const instance = {
  serviceName: 'guildhall',
  version: '1',
  publicUrl,
  webappUrl: publicUrl,
  clientOrigins: [],
  gatewayUrl: gatewayUrlBelow(publicUrl),
  hosted: false,
  console: true,
}
const ask = (authorization: string | null) => getBotGateway({ instance })({ authorization })

function codeOf(authorization: string | null): string {
  try {
    ask(authorization)
  } catch (error) {
    if (error instanceof Refused) return error.refusal.code
    throw error
  }
  return 'none'
}

describe('the gateway of a bot', () => {
  it.each(['Bot 12.secret', 'bOt 12.secret', 'Bearer 12.secret', 'bearer   12.secret', '12.secret', '12.a.b'])(
    'is given for anything in the form of a bot token: %s',
    (authorization) => {
      expect(ask(authorization)).toStrictEqual({
        url: 'wss://guildhall.test/gateway',
        shards: 1,
        session_start_limit: { total: 1000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
      })
    },
  )

  it.each([null, '', '  ', 'Bot', 'Bot ', 'bearer  '])('needs a token: %o', (authorization) => {
    expect(codeOf(authorization)).toBe('MISSING_AUTHORIZATION')
  })

  it.each([
    `gld_${'a'.repeat(36)}`,
    `Bot gld_${'a'.repeat(36)}`,
    'Bot 12',
    'Bot .secret',
    'Bot 12.',
    'Bot x1.secret',
    'Botanic 12.secret',
    'Bot ١٢.secret',
  ])('refuses another form: %s', (authorization) => {
    expect(codeOf(authorization)).toBe('INVALID_AUTH_TOKEN')
  })

  it('is the Gateway of the discovery document', async () => {
    const { ports } = world()
    const { endpoints } = await getDiscoveryDocument(ports)()
    expect(getBotGateway(ports)({ authorization: '1.x' }).url).toBe(endpoints.gateway)
  })
})
