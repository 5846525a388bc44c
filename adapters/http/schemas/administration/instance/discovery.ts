import { z } from 'zod'
import { brandingMembers } from '../../../../../application/wire-objects/administration/instance-config-schema.ts'
import { limitFilters } from '../../../../../application/wire-objects/administration/limit-config-object.ts'
import { nullableText, snowflakeOutput } from '../../../../../application/wire-objects/scalars.ts'

const address = z.url()

const endpoints = z.object({
  api: address,
  api_client: address,
  api_public: address,
  gateway: address,
  media: address,
  static_cdn: address,
  marketing: address,
  admin: address,
  invite: address,
  gift: address,
  webapp: address,
})

const limitRule = z.object({
  id: z.string(),
  filters: limitFilters,
  overrides: z.record(z.string(), z.int()),
})

const branding = z.object(brandingMembers)

/** What clients learn of an instance before they sign in. Every member is always there. */
export const discoveryDocument = z
  .object({
    api_code_version: z.int().describe('The version of the API that clients compare with.'),
    endpoints,
    captcha: z.object({
      provider: z.enum(['none', 'hcaptcha', 'turnstile']),
      hcaptcha_site_key: nullableText,
      turnstile_site_key: nullableText,
    }),
    features: z
      .object({
        voice_enabled: z.boolean().describe('Always false.'),
        stripe_enabled: z.boolean().describe('Always false.'),
        self_hosted: z.boolean().describe('Whether the instance sells nothing.'),
        presigned_attachment_uploads: z.boolean().describe('Always true: files may be uploaded before their message.'),
        emails_enabled: z.boolean().describe('Whether the instance sends mails.'),
      })
      .describe('What the instance can do.'),
    gif: z
      .object({
        provider: z.string(),
        display_name: z.string(),
        attribution_required: z.boolean().describe('Whether clients must name the provider.'),
      })
      .describe('Search for moving images.'),
    sso: z.object({
      enabled: z.boolean().describe('Whether people sign in by an identity provider.'),
      enforced: z.boolean().describe('Whether there is no other way to sign in.'),
      display_name: nullableText,
      redirect_uri: z.string(),
    }),
    registration: z.object({
      mode: z.enum(['open', 'approval', 'closed']),
      admin_registration_urls_enabled: z.boolean().describe('Whether administrators can make registration URLs.'),
    }),
    community: z.object({
      single_community: z.boolean().describe('Whether there is one guild, which everybody joins.'),
      single_community_guild_id: snowflakeOutput.nullable(),
      direct_messages_disabled: z.boolean().describe('Whether nobody can write direct messages.'),
    }),
    services: z.object({
      gif_enabled: z.boolean().describe('Whether moving images can be searched.'),
      youtube_enabled: z.boolean().describe('Whether videos can be looked up.'),
      bluesky_enabled: z.boolean().describe('Whether accounts can be connected with Bluesky.'),
    }),
    limits: z.object({
      version: z.literal(2),
      traitDefinitions: z.array(z.string()).readonly().describe('The traits that rules can ask for.'),
      rules: z.array(limitRule).readonly(),
      defaultsHash: z.string(),
    }),
    push: z.object({ public_vapid_key: nullableText }),
    account_identity: z
      .object({ mode: z.enum(['email', 'username']), tag_style: z.enum(['discriminator', 'none']) })
      .describe('By what people sign in.'),
    app_public: z.object({
      branding,
      setup: z.object({
        configured: z.boolean().describe('Whether somebody has set the instance up.'),
        admin_url: nullableText,
      }),
      legal: z.object({ terms_url: nullableText, privacy_url: nullableText }),
      registration: z.object({
        collect_date_of_birth: z.boolean().describe('Whether registering asks for a date of birth.'),
      }),
    }),
  })
  .meta({ id: 'DiscoveryDocument' })

/** Where and how a bot connects to the Gateway. */
export const botGateway = z
  .object({
    url: address,
    shards: z.int().describe('How many connections the bot should open.'),
    session_start_limit: z.object({
      total: z.int().describe('How many sessions may begin until the reset.'),
      remaining: z.int().describe('How many sessions may still begin until the reset.'),
      reset_after: z.int().meta({ description: 'Milliseconds.' }),
      max_concurrency: z.int().describe('How many sessions may begin at once.'),
    }),
  })
  .meta({ id: 'BotGateway' })
