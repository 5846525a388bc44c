import type { GuildId } from '../ids/ids.js'

/** How accounts come to be on the instance (reference identity 8.6, registration). */
export interface RegistrationPolicy {
  /** `approval`: an account waits until an operator lets it in. `closed`: only registration URLs admit. */
  readonly mode: 'open' | 'approval' | 'closed'
  /** Whether operators' registration URLs are honoured. */
  readonly urlsEnabled: boolean
  /** Whether a date of birth is required. */
  readonly collectDateOfBirth: boolean
}

/** What an account is known by (reference identity 8.6, account_identity). */
export interface AccountIdentityPolicy {
  /** What one signs in with. */
  readonly signIn: 'email' | 'username'
  /** `none`: usernames are unique alone, and every person has discriminator 0. */
  readonly tagStyle: 'discriminator' | 'none'
}

/** Single sign-on with one OpenID provider (reference identity 8.6, sso). What is null is found by the issuer's discovery. */
export interface SingleSignOnPolicy {
  readonly enabled: boolean
  /** Whether the other ways to sign in are closed: 403 SSO_REQUIRED (contract part 1, Authentication). */
  readonly enforced: boolean
  readonly displayName: string | null
  readonly issuer: string | null
  readonly authorizationUrl: string | null
  readonly tokenUrl: string | null
  readonly userinfoUrl: string | null
  readonly jwksUrl: string | null
  readonly clientId: string | null
  /** In an event it is sealed with the instance's key. */
  readonly clientSecret: string | null
  readonly scope: string
  /** Lower-case domains whose addresses are admitted; every one where there is none. */
  readonly allowedDomains: readonly string[]
  /** Whether an account is made for somebody whom the provider vouches for and nobody knows. */
  readonly autoProvision: boolean
  /** Where the provider sends people back to; null for `<public URL>/auth/sso/callback`. */
  readonly redirectUri: string | null
}

/** Documents that people agree to when they register. */
export interface LegalPolicy {
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  readonly guidelinesUrl: string | null
}

/** What there is of guilds and private channels (reference identity 8.6, policy). */
export interface CommunityPolicy {
  /** Whether there is one guild alone, which everybody is in. */
  readonly singleCommunity: boolean
  /** The guild that is designated as the one, also while there may be others. */
  readonly guildId: GuildId | null
  readonly directMessagesDisabled: boolean
  /** Set where private messages were turned on again: whether there are any can't change until it is taken off. */
  readonly directMessagesLocked: boolean
  /** Whether accounts may found guilds. */
  readonly guildCreateAccess: boolean
}

/** Who counts as premium on an instance that is not the hosted one. */
export interface PremiumPolicy {
  /** `everyone`: every account does. `mirror`: those that are. */
  readonly mode: 'mirror' | 'everyone'
}

/** Services of others: null where it depends on whether they are set up. */
export interface ServicesPolicy {
  readonly gif: boolean | null
  readonly youtube: boolean | null
  readonly bluesky: boolean | null
}

/** The images by which the instance is known (reference identity 8.6, branding assets). */
export const brandingAssets = ['icon', 'symbol', 'logo', 'wordmark', 'favicon'] as const
export type BrandingAsset = (typeof brandingAssets)[number]

/** How the instance calls itself (reference identity 8.6, branding), and what its images are called: null for none. */
export interface BrandingPolicy extends Readonly<Record<BrandingAsset, string | null>> {
  /** Null for the service's own name. */
  readonly productName: string | null
  /** `#` and six hexadecimal digits. */
  readonly themeColor: string | null
  readonly statusPageUrl: string | null
  readonly statusPageIncidentHistoryUrl: string | null
  readonly premiumProductName: string | null
  readonly premiumInfoUrl: string | null
}

/** Whether an operator has finished setting the instance up. Until then any session reaches its configuration. */
export interface SetupPolicy {
  readonly configured: boolean
}

/** What holds on the instance as a whole, and can be changed while it runs (reference identity 8.6). */
export interface InstancePolicy {
  readonly registration: RegistrationPolicy
  readonly accountIdentity: AccountIdentityPolicy
  /** Whether signing in from an address that the account has not used before takes a mail; only where mail is sent. */
  readonly ipAuthorization: boolean
  readonly singleSignOn: SingleSignOnPolicy
  readonly legal: LegalPolicy
  readonly community: CommunityPolicy
  readonly premium: PremiumPolicy
  readonly services: ServicesPolicy
  readonly branding: BrandingPolicy
  readonly setup: SetupPolicy
}

/** Parts of a policy: of each section the members that differ from what is below. */
export type PolicyChanges = {
  readonly [Section in keyof InstancePolicy]?: Partial<InstancePolicy[Section]>
}

/** What holds where changes are laid over a policy. */
export function policyWith(policy: InstancePolicy, changes: PolicyChanges): InstancePolicy {
  return {
    registration: { ...policy.registration, ...changes.registration },
    accountIdentity: { ...policy.accountIdentity, ...changes.accountIdentity },
    ipAuthorization: changes.ipAuthorization ?? policy.ipAuthorization,
    singleSignOn: { ...policy.singleSignOn, ...changes.singleSignOn },
    legal: { ...policy.legal, ...changes.legal },
    community: { ...policy.community, ...changes.community },
    premium: { ...policy.premium, ...changes.premium },
    services: { ...policy.services, ...changes.services },
    branding: { ...policy.branding, ...changes.branding },
    setup: { ...policy.setup, ...changes.setup },
  }
}
