import { restoreDiscoveryListing } from '../../../../application/administration/discovery/restore-listing.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { acting, guildParams, ofGuild } from './discovery.ts'

/** No server serves this operation: it is declared for what takes the removal of a listing back. */
const restoreListingOperation = operation({
  name: 'Restore discovery listing',
  description: 'Brings a listing that was removed back into the directory, as it was.',
  route: 'POST /v1/admin/discovery/listings/:guild_id/restoration',
  callers: admin({ acls: ['discovery:remove'] }),
  bucket: acting,
  params: guildParams,
  replies: { 204: none },
  adminAudit: { action: 'restore_discovery_listing', ...ofGuild },
  refuses: ['DISCOVERY_APPLICATION_ALREADY_REVIEWED', 'DISCOVERY_APPLICATION_NOT_FOUND'],
  useCase: restoreDiscoveryListing,
  handle: ({ caller, params: { guild_id: guildId } }, run) => run(caller.context, guildId),
})

export const listingRestorations: readonly Operation[] = [restoreListingOperation]
