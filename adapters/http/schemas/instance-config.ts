import { z } from 'zod'
import type { PolicyChanges } from '../../../domain/instance/policy.js'
import { textInput } from './scalars.js'

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
  legal: z.object({ terms_url: nullableUrl, privacy_url: nullableUrl, guidelines_url: nullableUrl }).optional(),
  registration: z.object({ collect_date_of_birth: z.boolean().optional() }).optional(),
})

const integrations = z.object({
  email: z.object({ disable_new_ip_authorization: z.boolean().optional() }).optional(),
})

/** What may be changed of the instance's configuration: one optional object a section (reference identity 8.6). */
export const instanceConfigPatch = z
  .object({
    sso: sso.optional(),
    registration: registration.optional(),
    account_identity: accountIdentity.optional(),
    app_public: appPublic.optional(),
    integrations: integrations.optional(),
  })
  .transform((patch): PolicyChanges => changesOf(patch))

interface Patch {
  readonly sso?: z.output<typeof sso> | undefined
  readonly registration?: z.output<typeof registration> | undefined
  readonly account_identity?: z.output<typeof accountIdentity> | undefined
  readonly app_public?: z.output<typeof appPublic> | undefined
  readonly integrations?: z.output<typeof integrations> | undefined
}

function changesOf(patch: Patch): PolicyChanges {
  const { mode, tag_style: tagStyle } = patch.account_identity ?? {}
  const { legal, registration: registering } = patch.app_public ?? {}
  const ipAuthorizationOff = patch.integrations?.email?.disable_new_ip_authorization
  return {
    singleSignOn: singleSignOnOf(patch.sso ?? {}),
    registration: given({
      mode: patch.registration?.mode,
      urlsEnabled: patch.registration?.admin_registration_urls_enabled,
      collectDateOfBirth: registering?.collect_date_of_birth,
    }),
    accountIdentity: given({ signIn: mode, tagStyle }),
    legal: given({
      termsUrl: legal?.terms_url,
      privacyUrl: legal?.privacy_url,
      guidelinesUrl: legal?.guidelines_url,
    }),
    ...(ipAuthorizationOff === undefined ? {} : { ipAuthorization: !ipAuthorizationOff }),
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
