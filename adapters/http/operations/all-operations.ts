import type { Operation } from '../operation.js'
import { getBotGatewayOperation, getDiscoveryDocumentOperation } from './instance.js'
import { adminOperations } from './administration/admin-operations.js'
import { identityOperations } from './identity/identity-operations.js'
import { accountOperations } from './identity/account/account-operations.js'
import { oauth2Operations } from './apps/oauth2-operations.js'
import { guildOperations } from './communities/guild-operations.js'
import { threadOperations } from './conversations/thread-operations.js'
import { messageOperations } from './conversations/message-operations.js'
import { privateChannelOperations } from './conversations/private-channels.js'

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
