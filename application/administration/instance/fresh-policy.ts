import type { InstancePolicy } from '../../../domain/instance/policy.js'

/** What holds on a fresh instance on which nothing is set (supplement, Instance defaults). */
export const freshPolicy: InstancePolicy = {
  registration: { mode: 'open', urlsEnabled: false, collectDateOfBirth: false },
  accountIdentity: { signIn: 'email', tagStyle: 'discriminator' },
  ipAuthorization: false,
  singleSignOn: {
    enabled: false,
    enforced: false,
    displayName: null,
    issuer: null,
    authorizationUrl: null,
    tokenUrl: null,
    userinfoUrl: null,
    jwksUrl: null,
    clientId: null,
    clientSecret: null,
    scope: 'openid email profile',
    allowedDomains: [],
    autoProvision: true,
    redirectUri: null,
  },
  legal: { termsUrl: null, privacyUrl: null, guidelinesUrl: null },
  community: {
    singleCommunity: false,
    guildId: null,
    directMessagesDisabled: false,
    directMessagesLocked: false,
    guildCreateAccess: true,
  },
  premium: { mode: 'mirror' },
  services: { gif: null, youtube: null, bluesky: null },
  branding: {
    productName: null,
    themeColor: null,
    statusPageUrl: null,
    statusPageIncidentHistoryUrl: null,
    premiumProductName: null,
    premiumInfoUrl: null,
    icon: null,
    symbol: null,
    logo: null,
    wordmark: null,
    favicon: null,
  },
  // The first administrator is made with the command line: nobody who comes first takes the instance over.
  setup: { configured: true },
}
