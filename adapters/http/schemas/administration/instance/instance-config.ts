import { z } from 'zod'
import type { InstanceConfigWishes } from '../../../../../application/administration/instance/change-instance-config.js'
import type { PolicyChanges } from '../../../../../domain/instance/policy.js'
import { textInput } from '../../scalars.js'

const url = z.url({ protocol: /^https?$/ }).max(2048)
const nullableUrl = url.nullable().optional()
const nullableText = (max: number) => textInput({ min: 1, max }).nullable().optional()

/** A domain of e-mail addresses, in lower case. */
const domain = z
  .string()
  .max(253)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/))

const sso = z.object({
  enabled: z.boolean().optional(),
  enforced: z.boolean().optional(),
  display_name: nullableText(100),
  issuer: nullableUrl,
  authorization_url: nullableUrl,
  token_url: nullableUrl,
  userinfo_url: nullableUrl,
  jwks_url: nullableUrl,
  client_id: nullableText(1024),
  client_secret: nullableText(4096),
  scope: textInput({ min: 1, max: 1024 }).optional(),
  allowed_domains: z.array(domain).max(100).optional(),
  auto_provision: z.boolean().optional(),
  redirect_uri: nullableUrl,
})

const registration = z.object({
  mode: z.enum(['open', 'approval', 'closed']).optional(),
  admin_registration_urls_enabled: z.boolean().optional(),
})

const accountIdentity = z.object({
  mode: z.enum(['email', 'username']).optional(),
  tag_style: z.enum(['discriminator', 'none']).optional(),
})

const appPublic = z.object({
  branding: z
    .object({
      product_name: textInput({ min: 1, max: 100 }).optional(),
      theme_color: z
        .string()
        .regex(/^#[0-9A-Fa-f]{6}$/)
        .nullable()
        .optional(),
      status_page_url: nullableUrl,
      status_page_incident_history_url: nullableUrl,
      premium_product_name: textInput({ min: 1, max: 100 }).optional(),
      premium_info_url: nullableUrl,
    })
    .optional(),
  setup: z.object({ configured: z.boolean().optional() }).optional(),
  legal: z.object({ terms_url: nullableUrl, privacy_url: nullableUrl, guidelines_url: nullableUrl }).optional(),
  registration: z.object({ collect_date_of_birth: z.boolean().optional() }).optional(),
})

const integrations = z.object({
  email: z.object({ disable_new_ip_authorization: z.boolean().optional() }).optional(),
})

const service = z.boolean().nullable().optional()

const policy = z.object({
  single_community_enabled: z.boolean().optional(),
  /** The name of the community if it has to be created. */
  single_community_name: textInput({ min: 1, max: 100 }).optional(),
  direct_messages_disabled: z.boolean().optional(),
  /** The lock is set automatically, and can only be removed here. */
  direct_messages_locked: z.literal(false).optional(),
  guild_create_access: z.boolean().optional(),
  premium_mode: z.enum(['mirror', 'everyone']).optional(),
  services: z.object({ gif_enabled: service, youtube_enabled: service, bluesky_enabled: service }).optional(),
})

/** As many members as a guild can have with the feature VERY_LARGE_GUILD. */
const minMembers_max = 10_000_000

const discovery = z.object({
  enabled: z.boolean().optional(),
  min_member_count: z.int().min(0).max(minMembers_max).optional(),
})

const patch = z.object({
  sso: sso.optional(),
  registration: registration.optional(),
  account_identity: accountIdentity.optional(),
  app_public: appPublic.optional(),
  integrations: integrations.optional(),
  policy: policy.optional(),
  discovery: discovery.optional(),
})

type Patch = z.output<typeof patch>

/** The changes to the instance's configuration: one optional object for each section (reference identity 8.6). */
export const instanceConfigPatch = patch.transform((sections): PolicyChanges => changesOf(sections))

/** The same, with the name of the single community. */
export const instanceConfigBody = patch
  .transform((sections): InstanceConfigWishes => ({
    changes: changesOf(sections),
    communityName: sections.policy?.single_community_name ?? null,
  }))
  .meta({ id: 'InstanceConfigPatch' })

function changesOf(sections: Patch): PolicyChanges {
  const { mode, tag_style: tagStyle } = sections.account_identity ?? {}
  const { registration: registering, setup } = sections.app_public ?? {}
  const ipAuthorizationOff = sections.integrations?.email?.disable_new_ip_authorization
  return {
    singleSignOn: singleSignOnOf(sections.sso ?? {}),
    registration: given({
      mode: sections.registration?.mode,
      urlsEnabled: sections.registration?.admin_registration_urls_enabled,
      collectDateOfBirth: registering?.collect_date_of_birth,
    }),
    accountIdentity: given({ signIn: mode, tagStyle }),
    ...publicFaceOf(sections.app_public ?? {}),
    ...policyOf(sections.policy ?? {}),
    discovery: given({
      enabled: sections.discovery?.enabled,
      minMemberCount: sections.discovery?.min_member_count,
    }),
    setup: given({ configured: setup?.configured }),
    ...(ipAuthorizationOff === undefined ? {} : { ipAuthorization: !ipAuthorizationOff }),
  }
}

function publicFaceOf({ branding, legal }: z.output<typeof appPublic>): Pick<PolicyChanges, 'branding' | 'legal'> {
  return {
    legal: given({
      termsUrl: legal?.terms_url,
      privacyUrl: legal?.privacy_url,
      guidelinesUrl: legal?.guidelines_url,
    }),
    branding: given({
      productName: branding?.product_name,
      themeColor: branding?.theme_color,
      statusPageUrl: branding?.status_page_url,
      statusPageIncidentHistoryUrl: branding?.status_page_incident_history_url,
      premiumProductName: branding?.premium_product_name,
      premiumInfoUrl: branding?.premium_info_url,
    }),
  }
}

function policyOf(wishes: z.output<typeof policy>): Pick<PolicyChanges, 'community' | 'premium' | 'services'> {
  return {
    community: given({
      singleCommunity: wishes.single_community_enabled,
      directMessagesDisabled: wishes.direct_messages_disabled,
      directMessagesLocked: wishes.direct_messages_locked,
      guildCreateAccess: wishes.guild_create_access,
    }),
    premium: given({ mode: wishes.premium_mode }),
    services: given({
      gif: wishes.services?.gif_enabled,
      youtube: wishes.services?.youtube_enabled,
      bluesky: wishes.services?.bluesky_enabled,
    }),
  }
}

function singleSignOnOf(patch: z.output<typeof sso>): NonNullable<PolicyChanges['singleSignOn']> {
  return given({
    enabled: patch.enabled,
    enforced: patch.enforced,
    displayName: patch.display_name,
    issuer: patch.issuer,
    authorizationUrl: patch.authorization_url,
    tokenUrl: patch.token_url,
    userinfoUrl: patch.userinfo_url,
    jwksUrl: patch.jwks_url,
    clientId: patch.client_id,
    clientSecret: patch.client_secret,
    scope: patch.scope,
    allowedDomains: patch.allowed_domains,
    autoProvision: patch.auto_provision,
    redirectUri: patch.redirect_uri,
  })
}

/** The members that were sent. */
function given<Members extends object>(members: Members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Member in keyof Members]?: Exclude<Members[Member], undefined>
  }
}
