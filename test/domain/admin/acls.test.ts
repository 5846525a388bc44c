import { describe, expect, it } from 'vitest'
import { adminAcls, firstUngrantable, holdsAcl, isAdminAcl, isWithin } from '../../../domain/admin/acls.ts'

describe('the registry of Admin ACLs', () => {
  it('has exactly 106 values, each once, `*` first', () => {
    expect(adminAcls).toHaveLength(106)
    expect(new Set(adminAcls).size).toBe(106)
    expect(adminAcls.slice(0, 3)).toEqual(['*', 'acl:set:user', 'admin_api_key:manage'])
    expect(adminAcls.at(-1)).toBe('voice:server:update')
  })
  it('has the values that replaced older ones, and not those', () => {
    for (const acl of ['bulk:delete:user_messages', 'user:create:password_reset_link', 'user:delete:recovery_kit'])
      expect(isAdminAcl(acl)).toBe(true)
    for (const acl of ['system:heap_snapshot', 'user:update:phone', 'user:view', '', 'constructor'])
      expect(isAdminAcl(acl)).toBe(false)
  })
})

describe('a set of ACLs', () => {
  it('satisfies each of its own, and with `*` every one', () => {
    expect(holdsAcl(['user:lookup'], 'user:lookup')).toBe(true)
    expect(holdsAcl(['user:lookup'], 'user:delete')).toBe(false)
    expect(holdsAcl(['*'], 'user:delete')).toBe(true)
    expect(holdsAcl([], '*')).toBe(false)
  })
  it('bounds a credential together with others: each has to satisfy', () => {
    expect(isWithin([['*'], ['user:lookup']], 'user:lookup')).toBe(true)
    expect(isWithin([['*'], ['user:lookup']], '*')).toBe(false)
    expect(isWithin([['user:delete'], ['*']], 'user:lookup')).toBe(false)
  })
  it('lets nothing be given away that is beyond it, `*` least of all', () => {
    expect(firstUngrantable([['user:lookup']], ['user:lookup', 'user:delete', '*'])).toBe('user:delete')
    expect(firstUngrantable([['user:lookup']], ['*'])).toBe('*')
    expect(firstUngrantable([['*']], adminAcls)).toBeUndefined()
    expect(firstUngrantable([[]], [])).toBeUndefined()
  })
})
