/** The transcript of a call, in monologues of some sentences. Times are milliseconds from its start. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import type { CallFacts } from './calls.ts'
import { sentences, topics } from './vocabulary.ts'

const sentenceLength = 4200

export function createTranscripts(seed: number): (call: CallFacts, speakers: readonly string[]) => object {
  const draw = seededRandom(seed, 'transcript')
  return (call, speakers) => {
    const turns = Math.max(2, Math.min(24, Math.floor(call.duration / 60)))
    const transcript = Array.from({ length: turns }, (_, turn) => {
      const begins = Math.floor((turn * call.duration * 1000) / turns)
      return {
        speakerId: speakers.length === 0 ? null : speakers[turn % speakers.length],
        topic: turn % 5 === 4 ? null : pick(topics, turn),
        sentences: Array.from({ length: 1 + (draw(call.index * 32 + turn) % 4) }, (_, n) => ({
          start: begins + n * sentenceLength,
          end: begins + (n + 1) * sentenceLength - 200,
          text: pick(sentences, draw(call.index * 320 + turn * 8 + n)),
        })),
      }
    })
    return { callId: call.id, transcript }
  }
}
