import { anyone } from '../callers.js'
import { perUser } from '../bucket.js'
import { none, operation } from '../operation.js'
import { botGateway, discoveryDocument } from '../schemas/administration/instance/discovery.js'

export const getDiscoveryDocumentOperation = operation({
  name: 'Get discovery document',
  route: 'GET /.well-known/guildhall',
  callers: anyone(),
  bucket: perUser('instance:info', { requests: 60, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  openToAllOrigins: true,
  replies: { 200: discoveryDocument },
  handle: (_, { instance }) => instance.discoveryDocument(),
})

/** It has rules of its own for the credential, which it alone reads. */
export const getBotGatewayOperation = operation({
  name: 'Get bot gateway',
  route: 'GET /v1/gateway/bot',
  callers: anyone(),
  bucket: perUser('gateway:bot_info', { requests: 60, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  replies: { 200: botGateway },
  refuses: ['INVALID_AUTH_TOKEN', 'MISSING_AUTHORIZATION'],
  handle: async ({ caller }, { instance }) => instance.botGateway(caller),
})
