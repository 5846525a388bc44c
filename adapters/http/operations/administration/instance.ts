import { z } from 'zod'
import { brandingAssets } from '../../../../domain/instance/policy.ts'
import { changeInstanceConfig } from '../../../../application/administration/instance/change-instance-config.ts'
import { readInstanceConfig } from '../../../../application/administration/instance/read-instance-config.ts'
import { setBrandingAsset } from '../../../../application/administration/instance/set-branding-asset.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { brandingAssetInput } from '../../schemas/images.ts'
import { mailServerTestResult } from '../../schemas/administration/instance/instance-config-reply.ts'
import { instanceConfigBody } from '../../schemas/administration/instance/instance-config.ts'
import { textInput, withDefault } from '../../schemas/scalars.ts'
import { adminLookup, adminUserModify } from './buckets.ts'
import { instanceConfigSchema } from '../../../../application/wire-objects/administration/instance-config-schema.ts'

// None of these is recorded in the admin audit log: history has their changes.

const changing = admin({ acls: ['instance:config:update'], duringSetup: true })

const getInstanceConfigOperation = operation({
  name: 'Get instance configuration',
  description: "The instance's configuration without its secrets.",
  route: 'GET /v1/admin/instance/config',
  callers: admin({ acls: ['instance:config:view'], duringSetup: true }),
  bucket: adminLookup,
  replies: { 200: instanceConfigSchema },
  adminAudit: none,
  useCase: readInstanceConfig,
  handle: ({ caller }, run) => run(caller),
})

const changeInstanceConfigOperation = operation({
  name: 'Update instance configuration',
  description: 'Changes the configuration of the instance: all of it, or nothing if one part is refused.',
  route: 'PATCH /v1/admin/instance/config',
  callers: changing,
  bucket: adminUserModify,
  body: instanceConfigBody,
  replies: { 200: instanceConfigSchema },
  adminAudit: none,
  refuses: ['CONFLICT', 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED'],
  useCase: changeInstanceConfig,
  handle: ({ caller, body }, run) => run(caller, body),
})

const setBrandingAssetOperation = operation({
  name: 'Set branding asset',
  description: 'Sets or removes a branding image of the instance.',
  route: 'POST /v1/admin/instance/config/branding-assets',
  callers: changing,
  bucket: adminUserModify,
  body: z.object({
    kind: z.enum(brandingAssets),
    image: brandingAssetInput.nullable().optional(),
  }),
  takesImage: true,
  replies: { 200: instanceConfigSchema },
  adminAudit: none,
  useCase: setBrandingAsset,
  handle: ({ caller, body }, run) => run(caller, body),
})

const testMailServerOperation = operation({
  name: 'Test mail server',
  description:
    'Tries to sign in to a mail server with the given settings; sends no mail. A server with a private address is not asked, unless `SMTP_URL` names it.',
  route: 'POST /v1/admin/instance/config/smtp-tests',
  callers: changing,
  bucket: adminUserModify,
  body: z.object({
    host: textInput({ min: 1, max: 255 }),
    port: z.int().min(1).max(65_535),
    username: textInput({ min: 1, max: 320 }),
    password: z.string().min(1).max(4096),
    secure: withDefault(z.boolean(), true),
  }),
  replies: { 200: mailServerTestResult },
  adminAudit: {
    action: 'test_mail_server',
    target: 'instance',
    metadata: ({ body }, { ok }) => ({
      host: body.host,
      port: String(body.port),
      secure: String(body.secure),
      ok: String(ok),
    }),
  },
  useCase: ({ testMailServer }) => testMailServer,
  handle: async ({ body }, run) => {
    const error = await run(body)
    return error === undefined ? { ok: true } : { ok: false, error }
  },
})

/** The configuration of the instance. */
export const instanceConfigOperations: readonly Operation[] = [
  getInstanceConfigOperation,
  changeInstanceConfigOperation,
  setBrandingAssetOperation,
  testMailServerOperation,
]
