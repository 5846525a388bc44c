import type { TestAnswer } from '../support/test-guildhall.ts'
import type { Cast, Ground, Person, sendingOn } from './ground.ts'

type Send = ReturnType<typeof sendingOn>

/** One request, which does not depend on another. */
type Move = (send: Send, ground: Ground, cast: Cast) => Promise<TestAnswer>

const write = (send: Send, person: Person, channel: string) =>
  send(person, 'POST', `/channels/${channel}/messages`, { content: 'Hello' })

/** Moves that end something below which others create things. */
export const endings = {
  'delete channel': (send, { channel }, { owner }) => send(owner, 'DELETE', `/channels/${channel}`),
  'delete thread': (send, { thread }, { owner }) => send(owner, 'DELETE', `/channels/${thread}`),
  'delete secret thread': (send, { secret }, { owner }) => send(owner, 'DELETE', `/channels/${secret}`),
  'delete guild': (send, { guild }, { owner }) =>
    send(owner, 'POST', `/guilds/${guild}/delete`, { password: owner.password }),
  'delete role': (send, { guild, role }, { owner }) => send(owner, 'DELETE', `/guilds/${guild}/roles/${role}`),
  'delete message': (send, { channel, message }, { owner }) =>
    send(owner, 'DELETE', `/channels/${channel}/messages/${message}`),
  'hide channel': (send, { guild, channel }, { owner }) =>
    send(owner, 'PUT', `/channels/${channel}/permissions/${guild}`, { type: 0, deny: '1024' }),
  'kick guest': (send, { guild }, { owner, guest }) => send(owner, 'DELETE', `/guilds/${guild}/members/${guest.id}`),
  'leave guild': (send, { guild }, { member }) => send(member, 'DELETE', `/users/@me/guilds/${guild}`),
  'expel from group': (send, { group }, { owner, guest }) =>
    send(owner, 'DELETE', `/channels/${group}/recipients/${guest.id}`),
  'leave group': (send, { group }, { member }) => send(member, 'DELETE', `/channels/${group}`),
  'leave secret thread': (send, { secret }, { member }) =>
    send(member, 'DELETE', `/channels/${secret}/thread-members/@me`),
  'close direct messages': (send, { direct }, { member }) => send(member, 'DELETE', `/channels/${direct}`),
  'delete invite': (send, { invite }, { owner }) => send(owner, 'DELETE', `/invites/${invite}`),
} satisfies Readonly<Record<string, Move>>

/** Moves that create something below it, or more of it. */
export const makings = {
  'write in thread as guest': (send, { thread }, { guest }) => write(send, guest, thread),
  'write in thread as owner': (send, { thread }, { owner }) => write(send, owner, thread),
  'write in secret thread': (send, { secret }, { member }) => write(send, member, secret),
  'write in channel': (send, { channel }, { guest }) => write(send, guest, channel),
  'write directly': (send, { direct }, { owner }) => write(send, owner, direct),
  'write in group': (send, { group }, { owner }) => write(send, owner, group),
  'write in group as guest': (send, { group }, { guest }) => write(send, guest, group),
  'join thread': (send, { thread }, { member }) => send(member, 'PUT', `/channels/${thread}/thread-members/@me`),
  'add to secret thread': (send, { secret }, { owner, guest }) =>
    send(owner, 'PUT', `/channels/${secret}/thread-members/${guest.id}`),
  'start thread': (send, { channel }, { member }) =>
    send(member, 'POST', `/channels/${channel}/threads`, { name: 'New', type: 11 }),
  'start secret thread': (send, { channel }, { guest }) =>
    send(guest, 'POST', `/channels/${channel}/threads`, { name: 'New', type: 12 }),
  'start thread from message': (send, { channel, message }, { guest }) =>
    send(guest, 'POST', `/channels/${channel}/messages/${message}/threads`, { name: 'New' }),
  'rename thread': (send, { thread }, { owner }) => send(owner, 'PATCH', `/channels/${thread}`, { name: 'Other' }),
  'archive thread': (send, { thread }, { owner }) => send(owner, 'PATCH', `/channels/${thread}`, { archived: true }),
  'give role': (send, { guild, role }, { owner, member }) =>
    send(owner, 'PUT', `/guilds/${guild}/members/${member.id}/roles/${role}`),
  'make invite': (send, { channel }, { owner }) =>
    send(owner, 'POST', `/channels/${channel}/invites`, { unique: true }),
  'make channel': (send, { guild }, { owner }) =>
    send(owner, 'POST', `/guilds/${guild}/channels`, { name: 'more', type: 0 }),
  'let into channel': (send, { guild, channel }, { owner }) =>
    send(owner, 'PUT', `/channels/${channel}/permissions/${guild}`, { type: 0, allow: '1024' }),
  'join guild': (send, { invite }, { guest }) => send(guest, 'POST', `/invites/${invite}`),
  'add to group': (send, { group }, { owner, guest }) =>
    send(owner, 'PUT', `/channels/${group}/recipients/${guest.id}`),
} satisfies Readonly<Record<string, Move>>

export type MoveName = keyof typeof endings | keyof typeof makings

export const moves: Readonly<Record<MoveName, Move>> = { ...endings, ...makings }
