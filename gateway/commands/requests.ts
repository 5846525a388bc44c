import type { GatewayLog } from '../log.ts'
import type { GatewayLimits } from '../limits.ts'
import { BoundedRequests } from './bounded-requests.ts'
import { guildRequests, type GuildRequestSettings } from './guild-requests.ts'
import type { InSessionSettings } from './in-session.ts'
import { memberRequests, type MemberRequestSettings } from './member-requests.ts'

export type RequestSettings = Omit<GuildRequestSettings, 'requests'> &
  Omit<MemberRequestSettings, 'requests'> & { readonly limits: GatewayLimits; readonly log: GatewayLog }

/** Handles the requests of sessions, op 8, 14, 15 and 16, and bounds how many run at once. */
export function requestHandlers(
  settings: RequestSettings,
): Pick<InSessionSettings, 'requests' | 'guildRequests' | 'memberRequests'> {
  const { ticker, limits, log } = settings
  const requests = new BoundedRequests({
    ticker,
    requests_max: limits.requestsAtWork_max,
    deadline_ms: limits.requestDeadline_ms,
    onError: (error) => {
      log.error({ error }, 'a request could not be answered')
    },
  })
  return {
    requests,
    guildRequests: guildRequests({ ...settings, requests }),
    memberRequests: memberRequests({ ...settings, requests }),
  }
}
