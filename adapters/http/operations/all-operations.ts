import type { Operation } from '../operation.js'
import { getBotGatewayOperation, getDiscoveryDocumentOperation } from './instance.js'
import { adminOperations } from './admin/admin-operations.js'
import { identityOperations } from './identity/identity-operations.js'
import { accountOperations } from './account/account-operations.js'
import { oauth2Operations } from './oauth2/oauth2-operations.js'
import { guildOperations } from './guilds/guild-operations.js'
import { threadOperations } from './threads/thread-operations.js'
import { messageOperations } from './messages/message-operations.js'
import { privateChannelOperations } from './private-channels/private-channels.js'

/** Every operation that the server has: what is not here is 404 NOT_FOUND. */
export const allOperations: readonly Operation[] = [
  getDiscoveryDocumentOperation,
  getBotGatewayOperation,
  ...adminOperations,
  ...identityOperations,
  ...accountOperations,
  ...oauth2Operations,
  ...guildOperations,
  ...threadOperations,
  ...messageOperations,
  ...privateChannelOperations,
]
