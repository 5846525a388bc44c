import { allowancesOver } from '../../adapters/http/limits/allowances.ts'
import { oauth4webapiProvider } from '../../adapters/openid/oauth4webapi-provider.ts'
import { smtpServerTest } from '../../adapters/mail/test-mail-server.ts'
import { attachmentAddresses } from '../../adapters/media/attachments/signed-addresses.ts'
import { uploadAddresses } from '../../adapters/media/attachments/upload-addresses.ts'
import { openNetworkLookups } from '../../adapters/network-lookups/open-network-lookups.ts'
import { simplewebauthnPasskeys } from '../../adapters/passkeys/simplewebauthn-passkeys.ts'
import { argon2Passwords } from '../../adapters/authentication/argon2-passwords.ts'
import { otplibTotp } from '../../adapters/authentication/otplib-totp.ts'
import { protectedAddresses } from '../../application/administration/network-bans/protected-addresses.ts'
import { gatewayUrlBelow } from '../../application/administration/instance/gateway-url.ts'
import { withConsole } from '../../application/apps/console/console-application.ts'
import type { Instance, Ports } from '../../application/ports.ts'
import type { GuildhallSettings } from '../settings/guildhall-settings.ts'
import { openAggregates } from '../aggregates.ts'
import { instancePoliciesOver } from '../instance-policies.ts'
import { portsKeyedBy } from '../keyed-ports.ts'
import { portsAsOf } from '../ports-as-of.ts'
import { productVersion } from '../product-version.ts'
import type { Base } from './base.ts'
import type { BesideHistory } from './beside-history.ts'
import { openInstanceStores } from './open-instance-stores.ts'
import { successStatusOf } from '../../adapters/http/operations/success-status.ts'
import { dispatchesOf } from '../../gateway/dispatches/dispatches-of.ts'
import type { SharedParts } from './shared-parts.ts'
import { noLinkPreviews, openLinkPreviews } from '../../adapters/link-previews/open-link-previews.ts'

/** Ports that exist only once the process listens, or has an open Gateway. */
export interface Seams extends Pick<
  Ports,
  | 'accountNotes'
  | 'archives'
  | 'attachmentFiles'
  | 'authorMessages'
  | 'messageSearch'
  | 'images'
  | 'instanceStatus'
  | 'messages'
  | 'presence'
  | 'reactions'
  | 'readStates'
  | 'recentMentions'
  | 'savedMessages'
  | 'copies'
  | 'contentFilter'
  | 'sessionHandovers'
  | 'reminders'
  | 'typing'
  | 'uploads'
> {
  /** Called each time, because it may depend on the port that is listened on. */
  readonly publicUrl: () => string
}

/** The ports of the use cases. */
export function portsOf(
  { options, store, queries, readModels, limits, instance, metrics }: Base,
  { locks, reservations, rateLimits }: SharedParts,
  beside: BesideHistory,
  { publicUrl, ...seams }: Seams,
): Ports {
  const { settings, personalDataKey, logger } = options
  const opened = openAggregates({
    store: store.events,
    snapshots: store.snapshots,
    onSnapshotFailure: (stream, error) => {
      logger.warn({ err: error, stream }, 'a snapshot could not be written')
    },
  })
  const aggregates = { ...opened, instance }
  const ofInstance = instanceOf(settings, publicUrl)
  return {
    aggregates,
    asOf: portsAsOf({ options, store }, limits.defaults),
    queries: { ...queries, applications: withConsole(queries.applications, ofInstance) },
    readModels,
    dispatchesOf,
    successStatusOf,
    events: store.events,
    locks,
    reservations,
    limits,
    stores: openInstanceStores({ ...options, metrics }),
    allowances: allowancesOver(rateLimits),
    ...beside,
    ...seams,
    linkPreviews: settings.linkPreviews ? openLinkPreviews(settings.linkPreviews) : noLinkPreviews,
    networkLookups: networkLookupsOf(options),
    passkeys: simplewebauthnPasskeys(),
    passwords: argon2Passwords(options.hashingCost),
    personalDataKeys: store.keys,
    snapshots: store.snapshots,
    totp: otplibTotp(),
    ...portsKeyedBy(personalDataKey),
    attachmentAddresses: attachmentAddresses(personalDataKey, publicUrl),
    uploadAddresses: uploadAddresses(personalDataKey, publicUrl),
    openIdProvider: oauth4webapiProvider({
      onFailure: (failure) => {
        logger.warn(failure, 'a sign-on with the OpenID provider failed')
      },
    }),
    isProtectedAddress: protectedAddresses(settings.trustedProxies),
    instance: ofInstance,
    testMailServer: smtpServerTest({ own: settings.smtp?.url }),
    instancePolicies: instancePoliciesOver(aggregates, settings.instancePolicy, personalDataKey),
  }
}

function instanceOf(settings: GuildhallSettings['settings'], publicUrl: () => string): Instance {
  return {
    serviceName: settings.serviceName,
    version: productVersion,
    hosted: settings.hosted,
    console: settings.console ?? true,
    // `*` names nobody: every page may use the API, but passkeys are for the operator's own clients.
    clientOrigins: (settings.corsOrigins ?? []).filter((origin) => origin !== '*'),
    get publicUrl() {
      return publicUrl()
    },
    get webappUrl() {
      return settings.webappUrl ?? publicUrl()
    },
    get gatewayUrl() {
      return settings.gatewayUrl ?? gatewayUrlBelow(publicUrl())
    },
  }
}

function networkLookupsOf({ settings, logger }: Base['options']): Ports['networkLookups'] {
  return openNetworkLookups({
    dnsServers: settings.dnsServers,
    geoIpDatabase: settings.geoIpDatabase,
    onError: (error) => {
      logger.warn({ err: error }, 'the location of an address could not be looked up')
    },
  })
}
