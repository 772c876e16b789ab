-- Channels that are told about exposed keys are told about sign-ins from new devices too: both are of the topic security.
UPDATE alert_channels SET kinds = replace(kinds, ' KEY_EXPOSED ', ' KEY_EXPOSED NEW_DEVICE ')
WHERE kinds LIKE '% KEY_EXPOSED %' AND kinds NOT LIKE '% NEW_DEVICE %';
