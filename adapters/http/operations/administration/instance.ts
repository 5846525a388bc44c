import { z } from 'zod'
import { brandingAssets } from '../../../../domain/instance/policy.js'
import { admin } from '../../callers.js'
import { none, operation } from '../../operation.js'
import { brandingAssetInput } from '../../schemas/images.js'
import { instanceConfig, mailServerTestResult } from '../../schemas/administration/instance/instance-config-reply.js'
import { instanceConfigBody } from '../../schemas/administration/instance/instance-config.js'
import { limitConfigBody, limitConfigReply } from '../../schemas/administration/instance/limit-config.js'
import { textInput, withDefault } from '../../schemas/scalars.js'
import { adminLookup, adminUserModify } from './buckets.js'

// None of these is recorded in the admin audit log (reference identity 8.6): what they change is in history.

const changing = admin({ acls: ['instance:config:update'], duringSetup: true })

export const getInstanceConfigOperation = operation({
  name: 'Get instance configuration',
  route: 'GET /v1/admin/instance/config',
  callers: admin({ acls: ['instance:config:view'], duringSetup: true }),
  bucket: adminLookup,
  params: none,
  query: none,
  body: none,
  replies: { 200: instanceConfig },
  adminAudit: none,
  handle: ({ caller }, { instance }) => instance.readConfig(caller),
})

export const changeInstanceConfigOperation = operation({
  name: 'Update instance configuration',
  route: 'PATCH /v1/admin/instance/config',
  callers: changing,
  bucket: adminUserModify,
  params: none,
  query: none,
  body: instanceConfigBody,
  replies: { 200: instanceConfig },
  adminAudit: none,
  refuses: ['CONFLICT', 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED'],
  handle: ({ caller, body }, { instance }) => instance.changeConfig(caller, body),
})

export const setBrandingAssetOperation = operation({
  name: 'Set branding asset',
  route: 'POST /v1/admin/instance/config/branding-assets',
  callers: changing,
  bucket: adminUserModify,
  params: none,
  query: none,
  body: z.object({
    kind: z.enum(brandingAssets),
    image: brandingAssetInput.nullable().optional(),
  }),
  takesImage: true,
  replies: { 200: instanceConfig },
  adminAudit: none,
  handle: ({ caller, body }, { instance }) => instance.setBrandingAsset(caller, body),
})

export const testMailServerOperation = operation({
  name: 'Test mail server',
  route: 'POST /v1/admin/instance/config/smtp-tests',
  callers: changing,
  bucket: adminUserModify,
  params: none,
  query: none,
  body: z.object({
    host: textInput({ min: 1, max: 255 }),
    port: z.int().min(1).max(65_535),
    username: textInput({ min: 1, max: 320 }),
    password: z.string().min(1).max(4096),
    secure: withDefault(z.boolean(), true),
  }),
  replies: { 200: mailServerTestResult },
  adminAudit: none,
  handle: async ({ body }, { instance }) => {
    const error = await instance.testMailServer(body)
    return error === undefined ? { ok: true } : { ok: false, error }
  },
})

export const getLimitConfigOperation = operation({
  name: 'Get limit configuration',
  route: 'GET /v1/admin/limit-config',
  callers: admin({ acls: ['instance:limit_config:view'] }),
  bucket: adminLookup,
  params: none,
  query: none,
  body: none,
  replies: { 200: limitConfigReply },
  adminAudit: none,
  handle: (_, { instance }) => instance.readLimitConfig(),
})

export const changeLimitConfigOperation = operation({
  name: 'Update limit configuration',
  route: 'PUT /v1/admin/limit-config',
  callers: admin({ acls: ['instance:limit_config:update'] }),
  bucket: adminUserModify,
  params: none,
  query: none,
  body: limitConfigBody,
  replies: { 200: limitConfigReply },
  adminAudit: none,
  handle: ({ caller, body }, { instance }) => instance.changeLimitConfig(caller, body.limit_config),
})
