import {
  AndroidOutlined,
  AppleOutlined,
  DesktopOutlined,
  GlobalOutlined,
  MessageOutlined,
  PhoneOutlined,
  QuestionCircleOutlined,
  ShopOutlined,
  ShoppingOutlined,
  TruckOutlined,
} from '@ant-design/icons';
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip, type Tone } from '../../lib/ui/page';

/** The own channels: amber is left to what the kitchen must see, red to what is late. */
const CHANNELS: Record<string, { icon: ComponentType; tone: Tone }> = {
  browser: { icon: GlobalOutlined, tone: 'success' },
  android: { icon: AndroidOutlined, tone: 'success' },
  ios: { icon: AppleOutlined, tone: 'success' },
  phone: { icon: PhoneOutlined, tone: 'neutral' },
  take_away: { icon: ShoppingOutlined, tone: 'violet' },
  sit_in: { icon: ShopOutlined, tone: 'violet' },
  kiosk_sit_in: { icon: DesktopOutlined, tone: 'violet' },
  kiosk_take_away: { icon: DesktopOutlined, tone: 'violet' },
};
/** Names of companies are the same in every language. */
const COMPANIES: Record<string, { name: string; icon: ComponentType }> = {
  messenger: { name: 'Messenger', icon: MessageOutlined },
  wolt: { name: 'Wolt', icon: TruckOutlined },
  foodora: { name: 'foodora', icon: TruckOutlined },
  bolt_food: { name: 'Bolt Food', icon: TruckOutlined },
};

/** Name of the platform in the language of `t`. */
export const channelName = (platform: string, t: TFunction): string =>
  COMPANIES[platform]?.name ??
  (platform in CHANNELS ? t(`order.platform_${platform}`) : t('unknown_platform'));

/** Where an order came from. */
export function ChannelChip({ platform }: { platform: string }) {
  const { t } = useTranslation();
  const { icon: Icon, tone } = CHANNELS[platform] ?? {
    icon: COMPANIES[platform]?.icon ?? QuestionCircleOutlined,
    tone: platform in COMPANIES ? ('info' as const) : ('neutral' as const),
  };
  return (
    <Chip tone={tone} icon={<Icon aria-hidden />}>
      {channelName(platform, t)}
    </Chip>
  );
}
