import type { AllQueries } from '../../../application/ports.ts'
import type { ReadModels } from './read-models.ts'

/** The queries that the Gateway uses today. A telling that uses another one finds nothing here, and its sessions end. */
export function queriesOf(models: ReadModels): AllQueries {
  return {
    accounts: models.accountQueries,
    members: models.memberQueries,
    privateChannels: models.privateChannelQueries,
    auditLog: models.auditLogQueries,
    passkeys: models.passkeyQueries,
    userSettings: models.userSettingsQueries,
  } as AllQueries
}
