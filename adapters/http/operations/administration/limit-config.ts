import { changeLimitConfig, readLimitConfig } from '../../../../application/administration/instance/limit-config.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { limitConfigBody } from '../../schemas/administration/instance/limit-config.ts'
import { adminLookup, adminUserModify } from './buckets.ts'
import { limitConfigSchema } from '../../../../application/wire-objects/administration/limit-config-object.ts'

// None of these is recorded in the admin audit log: history has their changes.

const getLimitConfigOperation = operation({
  name: 'Get limit configuration',
  description: 'The limit configuration.',
  route: 'GET /v1/admin/limit-config',
  callers: admin({ acls: ['instance:limit_config:view'] }),
  bucket: adminLookup,
  replies: { 200: limitConfigSchema },
  adminAudit: none,
  useCase: readLimitConfig,
  handle: (_, run) => run(),
})

const changeLimitConfigOperation = operation({
  name: 'Update limit configuration',
  description: "Replaces the operator's rules, and gives them merged with the default rules.",
  route: 'PUT /v1/admin/limit-config',
  callers: admin({ acls: ['instance:limit_config:update'] }),
  bucket: adminUserModify,
  body: limitConfigBody,
  replies: { 200: limitConfigSchema },
  adminAudit: none,
  useCase: changeLimitConfig,
  handle: ({ caller, body }, run) => run(caller, body.limit_config),
})

/** The limits of the instance. */
export const limitConfigOperations: readonly Operation[] = [getLimitConfigOperation, changeLimitConfigOperation]
