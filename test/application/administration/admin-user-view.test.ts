import { describe, expect, it } from 'vitest'
import { ownViewWithin, viewWithin } from '../../../application/wire-objects/administration/admin-user-object.ts'

describe('what a credential sees of accounts', () => {
  it('has the private reason of a deletion only with audit_log:view, of the own account too', () => {
    for (const view of [viewWithin, ownViewWithin]) {
      expect(view([['admin:authenticate', 'user:lookup']]).auditLogReason).toBe(false)
      expect(view([['audit_log:view']]).auditLogReason).toBe(true)
      expect(view([['*']]).auditLogReason).toBe(true)
    }
  })

  it('has all else of the own account', () => {
    expect(ownViewWithin([[]])).toStrictEqual({ email: true, dateOfBirth: true, ip: true, auditLogReason: false })
    expect(viewWithin([[]])).toStrictEqual({ email: false, dateOfBirth: false, ip: false, auditLogReason: false })
  })
})
