import { getBotGateway } from '../../../application/administration/instance/bot-gateway.ts'
import { getDiscoveryDocument } from '../../../application/administration/instance/discovery-document.ts'
import { anyone } from '../callers.ts'
import { perUser } from '../bucket.ts'
import { operation, type Operation } from '../operation.ts'
import { botGateway, discoveryDocument } from '../schemas/administration/instance/discovery.ts'

const getDiscoveryDocumentOperation = operation({
  name: 'Get discovery document',
  description: 'What a client must know about the instance first.',
  route: 'GET /.well-known/guildhall',
  callers: anyone(),
  bucket: perUser('instance:info', { requests: 60, seconds: 60 }),
  openToAllOrigins: true,
  replies: { 200: discoveryDocument },
  useCase: getDiscoveryDocument,
  handle: (_, run) => run(),
})

/** It reads the credential itself, by its own rules. */
const getBotGatewayOperation = operation({
  name: 'Get bot gateway',
  description: 'The URL of the Gateway and how many sessions a bot may start.',
  route: 'GET /v1/gateway/bot',
  callers: anyone(),
  bucket: perUser('gateway:bot_info', { requests: 60, seconds: 60 }),
  replies: { 200: botGateway },
  refuses: ['INVALID_AUTH_TOKEN', 'MISSING_AUTHORIZATION'],
  useCase: getBotGateway,
  handle: async ({ caller }, run) => run(caller),
})

/** Public information about the instance. */
export const instanceOperations: readonly Operation[] = [getDiscoveryDocumentOperation, getBotGatewayOperation]
