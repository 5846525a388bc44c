import { secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import { liftNetworkBan, networkNamed } from '../../../../application/administration/network-bans/ban-network.ts'
import {
  banNetworkAsAdmin,
  listNetworkBans,
} from '../../../../application/administration/network-bans/network-bans-as-admin.ts'
import { networkBanSchema } from '../../../../application/wire-objects/administration/network-ban-object.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import {
  liftedBan,
  networkBanBody,
  networkBanParams,
  networkBansPage,
  networkBansQuery,
} from '../../schemas/administration/network-bans.ts'
import { adminBan } from './buckets.ts'

/** As the command line records it: the network is the target, in the form that a ban names it. */
const target = {
  target: 'ip',
  targetId: ({ params }: { readonly params: { readonly address: string } }) => networkNamed(params.address),
} as const
const hour_s = 3600

const listNetworkBansOperation = operation({
  name: 'List network bans',
  description:
    'The networks that may not connect, with the newest ban first: those of administrators, and those of the server after failed requests.',
  route: 'GET /v1/admin/network-bans',
  callers: admin({ acls: ['ban:ip:check'] }),
  bucket: adminBan,
  query: networkBansQuery,
  replies: { 200: networkBansPage },
  adminAudit: {
    action: 'list_network_bans',
    target: 'ip',
    metadata: ({ query }, { bans }) => ({ limit: String(query.limit), result_count: String(bans.length) }),
  },
  useCase: listNetworkBans,
  handle: ({ caller, query }, run) => run({ ...query, now: caller.context.now }),
})

const banNetworkOperation = operation({
  name: 'Ban network',
  description:
    'Bans an IPv4 address, or the /64 of an IPv6 address, in place of any ban that it has. Processes know of it within seconds.',
  route: 'PUT /v1/admin/network-bans/:address',
  callers: admin({ acls: ['ban:ip:add'] }),
  bucket: adminBan,
  params: networkBanParams,
  body: networkBanBody,
  replies: { 200: networkBanSchema },
  adminAudit: {
    action: 'ban_ip',
    ...target,
    metadata: ({ body }, { expires_at: expiresAt }) => ({
      ...(expiresAt !== null && { expires_at: expiresAt }),
      ...(body.reason !== null && { reason: body.reason }),
    }),
  },
  refuses: ['IP_BAN_DECLINED'],
  useCase: banNetworkAsAdmin,
  handle: ({ caller, params, body: { hours, reason } }, run) =>
    run(caller, {
      address: params.address,
      reason,
      expiresAt: hours === null ? null : secondsAfter(caller.context.now, hours * hour_s),
    }),
})

const liftNetworkBanOperation = operation({
  name: 'Lift network ban',
  description: 'Lifts the ban of an address’s network. The list of addresses stays as it is.',
  route: 'DELETE /v1/admin/network-bans/:address',
  callers: admin({ acls: ['ban:ip:remove'] }),
  bucket: adminBan,
  params: networkBanParams,
  replies: { 200: liftedBan },
  adminAudit: {
    action: 'unban_ip',
    ...target,
    metadata: (_, { was_banned: wasBanned }) => ({ was_banned: String(wasBanned) }),
  },
  useCase: liftNetworkBan,
  handle: async ({ caller, params }, run) => {
    const { network, wasBanned } = await run(caller.context, params.address)
    return { network, was_banned: wasBanned }
  },
})

/** Bans of networks. */
export const networkBanOperations: readonly Operation[] = [
  listNetworkBansOperation,
  banNetworkOperation,
  liftNetworkBanOperation,
]
