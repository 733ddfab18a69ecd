/** The parts and measures of ads: creatives, images, videos and custom conversions. */
import { createHash } from 'node:crypto'
import { business, pageId, pixelId } from './company.ts'
import type { FieldsOf } from './record.ts'
import { accountTime, day, universalTime } from './times.ts'
import { calls, lines, products } from './words.ts'
import type { Node } from './world.ts'

const hashOf = (image: Node): string => createHash('md5').update(`${image.account.id}/${image.index}`).digest('hex')

/** An address of Meta's file hosts is signed; it contains the end of its few days, in hexadecimal seconds. */
function signed(name: string, { world }: Node, host = 'scontent.xx.fbcdn.example/v/t45.1600-4'): string {
  const end = (Math.floor(world.now() / day) + 4) * day
  return `https://${host}/${name}?oh=00_AYD&oe=${(end / 1000).toString(16).toUpperCase()}`
}

export const creativeRecord: FieldsOf<Node> = (creative) => {
  const { index, account } = creative
  const isVideo = index % 3 === 2
  const isLink = index % 3 === 0
  const images = account.counts.image
  const hash = isVideo || images === 0 ? undefined : hashOf(creative.other('image', index % images))
  const storyId = `${pageId}_${6_600_000_000_000 + index}`
  const product = creative.pick('product', products)
  const line = creative.pick('line', lines)
  const call = creative.pick('call', calls)
  const link = `https://northpass.example/shop/${product.toLowerCase().replaceAll(' ', '-')}`
  const content = { message: line, name: product, link, call_to_action: { type: call } }
  return {
    id: creative.id,
    name: `${product} 2026-05-${10 + (index % 20)}`,
    account_id: account.id,
    actor_id: pageId,
    body: isLink ? line : undefined,
    call_to_action_type: call,
    effective_object_story_id: storyId,
    image_hash: hash,
    image_url: hash && signed(`${hash}_n.jpg`, creative),
    link_url: isLink ? link : undefined,
    object_story_id: index % 5 === 1 ? storyId : undefined,
    object_story_spec: isLink ? undefined : { page_id: pageId, link_data: content },
    object_type: isVideo ? 'VIDEO' : 'SHARE',
    status: creative.oneIn('gone', 40) ? 'DELETED' : 'ACTIVE',
    thumbnail_url: signed(`thumb_${index}_64x64.jpg`, creative),
    title: isLink ? product : undefined,
    url_tags: index % 2 === 0 ? 'utm_source=facebook&utm_medium=paid' : undefined,
  }
}

export const imageRecord: FieldsOf<Node> = (image) => {
  const { index, account } = image
  const hash = hashOf(image)
  const isUsed = index % 4 !== 3
  return {
    id: `${account.id}:${hash}`,
    hash,
    name: `${image.pick('product', products).toLowerCase().replaceAll(' ', '_')}_${index}.jpg`,
    account_id: account.id,
    created_time: accountTime(image.createdAt, account),
    creatives: isUsed ? [image.other('creative', index).id] : undefined,
    height: 1080,
    is_associated_creatives_in_adgroups: isUsed,
    original_height: 2160,
    original_width: 3840,
    owner_business: business,
    permalink_url: `https://www.facebook.example/ads/image/?d=${hash.slice(0, 22)}`,
    status: image.oneIn('gone', 30) ? 'DELETED' : 'ACTIVE',
    updated_time: accountTime(image.updatedAt, account),
    url: signed(`${hash}_o.jpg`, image),
    url_128: signed(`${hash}_128.jpg`, image),
    width: 1920,
  }
}

export const videoRecord: FieldsOf<Node> = (video) => {
  const { index, id } = video
  const format = (filter: string, width: number, height: number) => ({
    embed_html: '<iframe></iframe>',
    filter,
    height,
    picture: signed(`${id}_${filter}.jpg`, video),
    width,
  })
  return {
    id,
    title: `${video.pick('product', products)} film ${index + 1}`,
    backdated_time_granularity: 'none',
    content_category: 'BEAUTY_FASHION',
    content_tags: index % 2 === 0 ? ['hiking', 'gear'] : undefined,
    created_time: universalTime(video.createdAt),
    description: index % 3 === 0 ? undefined : video.pick('line', lines),
    embed_html: `<iframe src="https://www.facebook.example/plugins/video.php?href=${id}" width="640"></iframe>`,
    embeddable: true,
    format: [format('130x130', 130, 130), format('native', 1920, 1080)],
    from: { id: pageId, name: 'Northpass Outfitters' },
    icon: 'https://static.fbcdn.example/rsrc.php/v3/yD/r/DggDhA4z4tO.gif',
    is_crosspost_video: false,
    is_crossposting_eligible: index % 2 === 0,
    is_episode: false,
    is_instagram_eligible: index % 3 !== 1,
    length: Number((6 + (video.draw('length') % 60_000) / 1000).toFixed(3)),
    permalink_url: `/northpass/videos/${id}/`,
    picture: signed(`${id}.jpg`, video),
    post_views: video.draw('post views') % 5_000,
    premiere_living_room_status: index === 1 ? 'PRE_PREMIERE' : undefined,
    published: true,
    source: index % 5 === 4 ? undefined : signed(`${id}.mp4`, video, 'video.xx.fbcdn.example/v'),
    spherical: false,
    status: { video_status: 'ready', processing_progress: 100, processing_phase: { status: 'complete' } },
    universal_video_id: index % 2 === 0 ? `northpass-${index}` : undefined,
    updated_time: universalTime(video.updatedAt),
    views: video.draw('views') % 250_000,
  }
}

export const conversionRecord: FieldsOf<Node> = (conversion) => {
  const { index } = conversion
  const hasFired = index % 6 !== 5
  return {
    id: conversion.id,
    name: `Bought ${conversion.pick('product', products)}`,
    account_id: conversion.account.id,
    business,
    creation_time: universalTime(conversion.createdAt),
    custom_event_type: index % 4 === 3 ? 'LEAD' : 'PURCHASE',
    data_sources: [{ id: pixelId, source_type: 'PIXEL', name: 'Northpass web shop' }],
    default_conversion_value: (index % 2) * 25,
    description: index % 3 === 0 ? 'Counts orders of one product line.' : undefined,
    event_source_type: 'pixel',
    first_fired_time: hasFired ? universalTime(conversion.createdAt + day) : undefined,
    is_archived: index % 7 === 6,
    is_unavailable: false,
    last_fired_time: hasFired ? universalTime(conversion.updatedAt) : undefined,
    offline_conversion_data_set: index % 5 === 0 ? { id: '774411990022556', name: 'Store tills' } : undefined,
    pixel: { id: pixelId },
    retention_days: 0,
    rule: JSON.stringify({ and: [{ event: { eq: 'Purchase' } }, { url: { i_contains: `line-${index}` } }] }),
  }
}
