import { authorize } from '../../../application/apps/oauth2/authorize.js'
import { consent } from '../../../application/apps/oauth2/consent.js'
import { exchangeTokens } from '../../../application/apps/oauth2/exchange-tokens.js'
import { introspectToken, revokeToken } from '../../../application/apps/oauth2/inspect-tokens.js'
import {
  listAuthorizations,
  revokeAuthorization,
  revokeAuthorizations,
} from '../../../application/apps/oauth2/own-authorizations.js'
import { currentGrant, userinfo } from '../../../application/apps/oauth2/read-grant.js'
import type { Ports } from '../../../application/ports.js'

/** What accounts let applications do. */
export function oauth2UseCases(ports: Ports) {
  return {
    authorize: authorize(ports),
    consent: consent(ports),
    currentGrant: currentGrant(ports),
    exchange: exchangeTokens(ports),
    introspect: introspectToken(ports),
    listAuthorizations: listAuthorizations(ports),
    revokeAuthorization: revokeAuthorization(ports),
    revokeAuthorizations: revokeAuthorizations(ports),
    revokeToken: revokeToken(ports),
    userinfo: userinfo(ports),
  }
}
