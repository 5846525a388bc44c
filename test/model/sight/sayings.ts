import { bodyOf } from '../../operations/support/answers.ts'
import { file, payload, sendForm } from '../../operations/support/forms.ts'
import { messagesPath } from '../../operations/support/messages.ts'
import { threadsHeader, threadsOf } from '../../operations/support/threads.ts'
import { executeWithFiles, formOf, type Hook } from '../../operations/support/webhooks.ts'
import { picked, sendAs, type Stage } from './stage.ts'
import { webhooks_max, type OnMessage, type StepOf } from './steps.ts'

export interface Said {
  readonly id: string
  readonly channel: string
  readonly isForward: boolean
  /** The webhook that wrote it, and from where. */
  readonly by: PlacedHook | undefined
}

interface PlacedHook extends Hook {
  readonly channel: string
}

interface Thread {
  readonly id: string
  readonly parent: string
  readonly isPrivate: boolean
}

/** What the owner and webhooks say in a guild, and the threads that they say it in. Each step gives whether there was anything to do it to. */
export class Sayings {
  readonly #stage: Stage
  #threads: readonly Thread[] = []
  #said: readonly Said[] = []
  #hooks: readonly PlacedHook[] = []
  #edits = 0

  constructor(stage: Stage) {
    this.#stage = stage
  }

  message(number: number): Said | undefined {
    return picked(this.#said, number)
  }

  async startThread({ channel, isPrivate }: StepOf<'thread'>): Promise<boolean> {
    const { guildhall, home, channels } = this.#stage
    const parent = channels[channel] ?? ''
    const id = await threadsOf(guildhall).started(home.owner, parent, { type: isPrivate ? 12 : 11 })
    this.#threads = [...this.#threads, { id, parent, isPrivate }]
    return true
  }

  async addToThread({ thread, member: number }: StepOf<'thread member'>): Promise<boolean> {
    const { guildhall, home, members } = this.#stage
    const [place, member] = [picked(this.#threads, thread), members[number]]
    if (!place || member?.isMember !== true) return false
    // Who cannot view the parent cannot be added.
    await threadsOf(guildhall).join(home.owner, place.id, member.account.id)
    return true
  }

  async write({ place: number }: StepOf<'write'>): Promise<boolean> {
    const place = picked(this.#places(), number)
    return place !== undefined && this.#does('POST', `/v1/channels/${place}/typing`)
  }

  async send({ place: number, withFile }: StepOf<'send'>): Promise<boolean> {
    const { guildhall, home } = this.#stage
    const channel = picked(this.#places(), number) ?? home.channel
    const parts = [payload({ content: 'see' }), file('files[0]', 'notes.txt', 'Notes')]
    const answer = withFile
      ? await sendForm(guildhall, home.owner, channel, parts, { headers: threadsHeader })
      : await sendAs(this.#stage, home.owner, 'POST', messagesPath(channel), { content: 'hello' })
    return this.#note(bodyOf(answer), channel)
  }

  async reply({ message }: StepOf<'reply'>): Promise<boolean> {
    const to = this.message(message)
    return to !== undefined && this.#refer({ message_id: to.id }, to.channel, { content: 'yes' })
  }

  async forward({ message, place }: StepOf<'forward'>): Promise<boolean> {
    const [from, to] = [this.message(message), picked(this.#places(), place)]
    if (!from || from.isForward || to === undefined) return false
    return this.#refer({ type: 1, message_id: from.id, channel_id: from.channel }, to, {}, true)
  }

  async post({ webhook, withFile, inThread }: StepOf<'post'>): Promise<boolean> {
    const hook = picked(this.#hooks, webhook)
    if (!hook) return false
    const thread = inThread
      ? this.#threads.find(({ parent, isPrivate }) => parent === hook.channel && !isPrivate)
      : undefined
    const [channel, query] = thread ? [thread.id, `?wait=1&thread_id=${thread.id}`] : [hook.channel, '?wait=1']
    const answer =
      withFile && !thread
        ? await executeWithFiles(this.#stage.guildhall, hook, formOf({ content: 'built' }, ['log.txt', 'Log']))
        : await sendAs(this.#stage, undefined, 'POST', `/v1/webhooks/${hook.id}/${hook.token}${query}`, {
            content: 'built',
          })
    return this.#note(bodyOf(answer), channel, { by: hook })
  }

  async changeWebhook({ what, webhook, channel: number }: StepOf<'webhook'>): Promise<boolean> {
    const { home, channels } = this.#stage
    const channel = channels[number] ?? ''
    if (what === 'create') {
      if (this.#hooks.length >= webhooks_max) return false
      const made = await sendAs(this.#stage, home.owner, 'POST', `/v1/channels/${channel}/webhooks`, { name: 'Build' })
      const { id, token } = bodyOf(made)
      this.#hooks = [...this.#hooks, { id: String(id), token: String(token), channel }]
      return true
    }
    const hook = picked(this.#hooks, webhook)
    if (!hook) return false
    const others = this.#hooks.filter((each) => each !== hook)
    this.#hooks = what === 'change' ? [...others, { ...hook, channel }] : others
    return what === 'change'
      ? this.#does('PATCH', `/v1/webhooks/${hook.id}`, { channel_id: channel })
      : this.#does('DELETE', `/v1/webhooks/${hook.id}`)
  }

  async change(what: OnMessage, number: number): Promise<boolean> {
    const said = this.message(number)
    if (!said) return false
    const path = messagesPath(said.channel, said.id)
    const reaction = `${path}/reactions/${encodeURIComponent('👍')}/@me`
    const pin = `/v1/channels/${said.channel}/pins/${said.id}`
    switch (what) {
      case 'edit':
        return this.#edit(said)
      case 'react':
        return this.#does('PUT', reaction)
      case 'unreact':
        return this.#does('DELETE', reaction)
      case 'pin':
        return this.#does('PUT', pin)
      case 'unpin':
        return this.#does('DELETE', pin)
      case 'delete':
        this.#said = this.#said.filter((each) => each !== said)
        return this.#does('DELETE', path)
    }
  }

  /** Nobody edits a forward, and a webhook what it wrote as long as it is where it was. */
  async #edit({ id, channel, isForward, by }: Said): Promise<boolean> {
    if (isForward) return false
    this.#edits += 1
    const body = { content: `edited ${this.#edits}` }
    if (!by) return this.#does('PATCH', messagesPath(channel, id), body)
    if (!this.#hooks.includes(by)) return false
    const thread = channel === by.channel ? '' : `?thread_id=${channel}`
    bodyOf(
      await sendAs(this.#stage, undefined, 'PATCH', `/v1/webhooks/${by.id}/${by.token}/messages/${id}${thread}`, body),
    )
    return true
  }

  async #refer(reference: object, channel: string, body: object, isForward = false): Promise<boolean> {
    const whole = { ...body, message_reference: reference }
    const answer = await sendAs(this.#stage, this.#stage.home.owner, 'POST', messagesPath(channel), whole)
    return this.#note(bodyOf(answer), channel, { isForward })
  }

  #note({ id }: Readonly<Record<string, unknown>>, channel: string, more: Partial<Said> = {}): boolean {
    this.#said = [...this.#said, { id: String(id), channel, isForward: false, by: undefined, ...more }]
    return true
  }

  async #does(method: string, path: string, body?: object): Promise<boolean> {
    bodyOf(await sendAs(this.#stage, this.#stage.home.owner, method, path, body))
    return true
  }

  #places(): readonly string[] {
    return [...this.#stage.channels, ...this.#threads.map(({ id }) => id)]
  }
}
