import { z } from 'zod'
import {
  createRegistrationUrlAsAdmin,
  decideRegistrationAsAdmin,
  revokeRegistrationUrlAsAdmin,
} from '../../../../application/administration/registrations/registrations-as-admin.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  newRegistrationUrl,
  registrationDecision,
  registrationUrlWishes,
} from '../../schemas/administration/instance/registrations.ts'
import { accountIdInput, registrationUrlIdInput } from '../../schemas/scalars.ts'
import { adminUserModify } from './buckets.ts'
import { instanceConfigSchema } from '../../../../application/wire-objects/administration/instance-config-schema.ts'

// Registrations. Only the decision is recorded in the admin audit log.

const callers = admin({ acls: ['instance:config:update'] })

const createRegistrationUrlOperation = operation({
  name: 'Create registration URL',
  description: 'Creates a registration URL in the name of an administrator.',
  route: 'POST /v1/admin/instance/registration-urls',
  callers,
  bucket: adminUserModify,
  body: registrationUrlWishes,
  replies: { 200: newRegistrationUrl },
  adminAudit: none,
  useCase: createRegistrationUrlAsAdmin,
  handle: ({ caller, body }, run) => run(caller, body),
})

const revokeRegistrationUrlOperation = operation({
  name: 'Revoke registration URL',
  description: 'Revokes a registration URL, and gives the new configuration.',
  route: 'DELETE /v1/admin/instance/registration-urls/:registration_url_id',
  callers,
  bucket: adminUserModify,
  params: z.object({ registration_url_id: registrationUrlIdInput }),
  replies: { 200: instanceConfigSchema },
  adminAudit: none,
  useCase: revokeRegistrationUrlAsAdmin,
  handle: ({ caller, params }, run) => run(caller, params.registration_url_id),
})

const actions = { approved: 'approve_registration', rejected: 'reject_registration' } as const

const decideRegistrationOperation = operation({
  name: 'Update pending registration',
  description: 'Approves or rejects a waiting registration, and gives the new configuration.',
  route: 'PATCH /v1/admin/instance/pending-registrations/:user_id',
  callers,
  bucket: adminUserModify,
  params: z.object({ user_id: accountIdInput }),
  body: registrationDecision,
  replies: { 200: instanceConfigSchema },
  adminAudit: {
    action: { anyOf: Object.values(actions), of: ({ body }) => actions[body.status] },
    target: 'user',
    targetId: ({ params }) => params.user_id,
  },
  refuses: ['CONFLICT', 'UNKNOWN_USER'],
  useCase: decideRegistrationAsAdmin,
  handle: ({ caller, params, body }, run) => run(caller, params.user_id, body.status),
})

/** Registration URLs and pending registrations. */
export const registrationOperations: readonly Operation[] = [
  createRegistrationUrlOperation,
  revokeRegistrationUrlOperation,
  decideRegistrationOperation,
]
