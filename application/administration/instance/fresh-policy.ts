import type { InstancePolicy } from '../../../domain/instance/policy.js'

/** The policy of a fresh instance without any settings (supplement, Instance defaults). */
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
  // The command line makes the first administrator, so that the first visitor cannot take over the instance.
  setup: { configured: true },
}
