import { describe, expect, it } from 'vitest'
import { actionsOf } from '../../../adapters/http/admin-audit-rule.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { consoleOperations } from '../../../adapters/http/operations/apps/console.ts'
import { aclsPage, bucketsPage, operationsPage } from '../../../cli/reference/operations.ts'
import { adminAcls } from '../../../domain/admin/acls.ts'

/** The cells of each row below a heading, or of all rows; without head rows. */
function rows(page: string, heading?: string): readonly (readonly string[])[] {
  const part = heading === undefined ? page : (page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
  const lines = part.split('\n').filter((line) => line.startsWith('| '))
  const isHead = (index: number): boolean => [lines[index], lines[index + 1]].some((line) => line?.startsWith('| ---'))
  return lines.filter((_, index) => !isHead(index)).map((line) => line.slice(2, -2).split(' | '))
}

const rowOf = (page: string, first: string) => rows(page).find(([cell]) => cell === first)

describe('the page of operations', () => {
  it('lists each operation once, including those that describe the others', () => {
    const told = rows(operationsPage()).flatMap(([name = '?']) => name)
    const documents = ['Get API document', 'Get Admin API document', 'Get event schemas']
    expect(told.toSorted()).toEqual([...allOperations.map(({ name }) => name), ...documents].toSorted())
  })
  it('lists the route, who may call it, and the bucket', () => {
    const page = operationsPage()
    const told = (name: string) => rowOf(page, name)?.slice(1)
    expect(told('Get guild')).toEqual([
      '`GET /v1/guilds/:guild_id`',
      'people, bots, applications with `guilds`',
      '`guild:read::guild_id`',
    ])
    expect(told('Create guild')?.[1]).toBe('people')
    expect(told('Get invite')?.[1]).toBe('everybody')
    expect(told('Get current bot application')?.[1]).toBe('bots')
    expect(told('Get userinfo')?.[1]).toBe('applications with `identify`')
    expect(told('Get current authorization')?.[1]).toBe('applications')
    expect(told('Join thread')?.[1]).toBe('people, bots; with thread access')
    expect(told('Modify guild')?.[1]).toBe('people, bots; in sudo mode for some requests')
    expect(told('Apply e-mail change')?.[1]).toBe('people; in sudo mode; where people sign in by email')
    expect(told('Log in')?.[1]).toBe('everybody; unless single sign-on is enforced')
  })
  it('lists the operations of administrators separately, with their ACLs', () => {
    const admins = rows(operationsPage(), 'administration')
    const expected = allOperations.filter(({ callers }) => callers.kind === 'admin')
    expect(admins.map(([name]) => name)).toEqual(expected.map(({ name }) => name))
    const who = new Map(admins.map(([name, , may]) => [name, may]))
    expect(who.get('Cancel background job')).toBe('administrators with `jobs:cancel`')
    expect(who.get('List blocklists')).toContain('with `admin:authenticate` and one of `ban:ip:check`, ')
    expect(who.get('Get instance configuration')).toBe(
      'administrators with `instance:config:view` or anybody with an account until the instance is set up',
    )
  })
})

describe('the page of ACLs', () => {
  it('lists each ACL of the registry in its order, with the operations that require it', () => {
    const acls = rows(aclsPage(), 'ACLs')
    expect(acls.map(([acl]) => acl)).toEqual(adminAcls.map((acl) => `\`${acl}\``))
    const asked = new Map(acls.map(([acl, listed]) => [acl, listed]))
    expect(asked.get('`jobs:view`')).toBe(
      'Get background job, List active background jobs, List background jobs, List mails',
    )
    expect(asked.get('`ban:ip:check`')).toBe(
      'Check ip blocklist entry, List blocklists, List ip blocklist entries, List network bans',
    )
    expect(asked.get('`voice:region:create`')).toBe('none yet')
  })
  it('lists each action of the admin audit log, with its target', () => {
    const actions = rows(aclsPage(), 'Admin audit log')
    const expected = allOperations.flatMap(({ adminAudit }) => ('none' in adminAudit ? [] : actionsOf(adminAudit)))
    expect(actions.map(([action]) => action)).toEqual([...new Set(expected)].toSorted().map((each) => `\`${each}\``))
    expect(actions).toContainEqual(['`auto_resolve_reports_on_deletion`', '`user`', 'Schedule user deletion'])
    expect(actions).toContainEqual(['`cancel_job`', '`job`', 'Cancel background job'])
    expect(actions).toContainEqual(['`approve_registration`', '`user`', 'Update pending registration'])
    expect(actions).toContainEqual([
      '`unban_avatar_hash`',
      '`avatar_hash`',
      'Remove avatar-hash blocklist entries, Remove avatar-hash blocklist entry',
    ])
  })
})

describe('the page of buckets', () => {
  it('lists each bucket once, by name, with its requests and seconds', () => {
    const buckets = rows(bucketsPage())
    const expected = new Set([...allOperations, ...consoleOperations].map(({ bucket }) => `\`${bucket.name}\``))
    expect(new Set(buckets.map(([name]) => name))).toEqual(expected)
    expect(buckets).toHaveLength(expected.size)
    expect(buckets).toContainEqual(['`guild:create`', '10', '60', 'each caller', 'Create guild'])
    expect(buckets).toContainEqual([
      '`invite:list::guild_id`',
      '40',
      '10',
      'each caller and `guild_id`',
      'List guild invites',
    ])
    expect(bucketsPage()).toContain(': 50 requests in 1 s for each caller, 1200 requests in 1 s with the flag')
    expect(rowOf(bucketsPage(), '`oauth:authorize`')?.[4]).toBe('Authorize, Consent')
  })
})
