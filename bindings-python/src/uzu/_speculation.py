"""Presets of speculation on their way to the engine."""

from __future__ import annotations

from ._arguments import checked
from ._enums import ChatVerifier
from ._features import Feature
from ._unions import ChatDrafter, ChatSpeculationPreset


def preset_json(preset: ChatSpeculationPreset | None) -> object:
    if preset is None:
        return "auto"
    match checked(preset, ChatSpeculationPreset, "speculation_preset"):
        case ChatSpeculationPreset.Off():
            return "off"
        case ChatSpeculationPreset.GeneralChat():
            return "general_chat"
        case ChatSpeculationPreset.Summarization():
            return "summarization"
        case ChatSpeculationPreset.Classification(feature):
            feature = checked(feature, Feature, "feature")
            return {"type": "classification", "feature": {"name": feature.name, "values": list(feature.values)}}
        case ChatSpeculationPreset.Custom(drafters, max_nodes, verifier):
            return {
                "type": "custom",
                "drafters": [_drafter_json(drafter) for drafter in drafters],
                "max_nodes": max_nodes,
                "verifier": checked(verifier, ChatVerifier, "verifier").value,
            }
    return "auto"


def _drafter_json(drafter: ChatDrafter) -> object:
    match checked(drafter, ChatDrafter, "drafters"):
        case ChatDrafter.DraftModel(identifier):
            return {"type": "draft_model", "identifier": identifier}
        case ChatDrafter.Recall():
            return "recall"
        case ChatDrafter.Tables():
            return "tables"
        case ChatDrafter.Network():
            return "network"
    return "lookup"
