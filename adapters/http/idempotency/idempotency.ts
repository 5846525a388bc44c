import { keyedQueue } from '../../../application/commands/keyed-queue.js'
import { reject } from '../../../application/commands/refused.js'
import type { CommandOrigin, CommandOrigins, OriginRecipe } from '../../../application/ports/command-origins.js'
import type { Answer } from '../server/answer.js'
import type { IdempotencyRow, IdempotencyRows, Release } from './idempotency-rows.js'
import { requestSeal, type KeyedRequest, type RequestSeal } from './keyed-request.js'

/** What a command came to, and whether the same key gives the same again. */
export interface Outcome {
  readonly answer: Answer
  /**
   * `final`: the key stands for this answer. `open`: it may have written something, so the same key runs the same command
   * again. `void`: it did nothing, so the key is as good as unused.
   */
  readonly counts: 'final' | 'open' | 'void'
}

/** Lets a request with an Idempotency-Key do its work once, however often it comes and whoever dies in between. */
export interface Idempotency {
  /**
   * Runs a command, or gives the answer that an earlier request with the same key had, with `Idempotent-Replayed: true`.
   * Refuses with CONFLICT where the key stands for another request, or where that one is still at work after `turnWait_ms_max`.
   */
  once(request: KeyedRequest, run: (origin: CommandOrigin) => Promise<Outcome>): Promise<Answer>
}

export interface IdempotencySettings {
  readonly rows: IdempotencyRows
  readonly origins: CommandOrigins
  /** 32 bytes: PERSONAL_DATA_KEY, or what follows from it. */
  readonly secret: Uint8Array
  /** Told of an answer that could not be stored: the same key would run the command again, which changes nothing. */
  readonly onStoringFailure: (error: unknown) => void
  readonly turnWait_ms_max?: number
}

const turnWait_ms_max = 10_000
const turnPoll_ms = 100

const [recipePart, answerPart] = ['recipe', 'answer']

/** Keeps what is needed in rows; two requests with one key take turns, also where they reach different processes. */
export function idempotencyOver(settings: IdempotencySettings): Idempotency {
  const turns = keyedQueue()
  return {
    once(request, run) {
      const seal = requestSeal(settings.secret, request)
      return turns.run(seal.id.toString('base64'), async () => {
        const release = await lockInTurn(settings, seal)
        try {
          return await runOrReplay(settings, seal, run)
        } finally {
          await release()
        }
      })
    },
  }
}

async function lockInTurn({ rows, ...settings }: IdempotencySettings, { id }: RequestSeal): Promise<Release> {
  const until = performance.now() + (settings.turnWait_ms_max ?? turnWait_ms_max)
  do {
    const release = await rows.lock(id)
    if (release) return release
    await new Promise((resolve) => setTimeout(resolve, turnPoll_ms))
  } while (performance.now() < until)
  return reject('CONFLICT')
}

async function runOrReplay(
  settings: IdempotencySettings,
  seal: RequestSeal,
  run: (origin: CommandOrigin) => Promise<Outcome>,
): Promise<Answer> {
  const { rows, origins } = settings
  const recipe = origins.newRecipe()
  const earlier = await rows.claim(newRow(seal, recipe))
  if (!earlier) return keep(settings, seal, await run(origins.follow(recipe, false)))
  if (!seal.fingerprint.equals(earlier.fingerprint)) return reject('CONFLICT')
  if (earlier.sealedAnswer) return replayed(seal.unseal(answerPart, earlier.sealedAnswer))
  // Sealed by newRow, and authenticated since.
  const earlierRecipe = JSON.parse(seal.unseal(recipePart, earlier.sealedRecipe)) as OriginRecipe
  return keep(settings, seal, await run(origins.follow(earlierRecipe, true)))
}

function newRow(seal: RequestSeal, recipe: OriginRecipe): IdempotencyRow {
  return {
    id: seal.id,
    fingerprint: seal.fingerprint,
    commandId: recipe.commandId,
    startedAt: recipe.now,
    sealedRecipe: seal.seal(recipePart, JSON.stringify(recipe)),
    sealedAnswer: null,
  }
}

async function keep(
  { rows, onStoringFailure }: IdempotencySettings,
  seal: RequestSeal,
  { answer, counts }: Outcome,
): Promise<Answer> {
  try {
    if (counts === 'final') await rows.answer(seal.id, seal.seal(answerPart, JSON.stringify(answer)))
    if (counts === 'void') await rows.remove(seal.id)
  } catch (error) {
    onStoringFailure(error)
  }
  return answer
}

/** Answers of operations are JSON text or nothing, so they come back as they were. */
function replayed(text: string): Answer {
  const answer = JSON.parse(text) as Answer
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}
